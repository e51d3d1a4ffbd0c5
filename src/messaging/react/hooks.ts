import { useCallback, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

import type { Client } from '../client/client.ts';
import { CallError } from '../wire/errors.ts';
import type { Kind } from '../wire/frames.ts';
import type { InputOf, NamesIf, OutputOf } from '../define/procedures.ts';

type Names<Api, K extends Kind> = NamesIf<Api, K>[keyof Api & string];
type InputArgument<P> = InputOf<P> extends undefined ? [] : [input: InputOf<P>];

/** Function of the client, typed loosely: the compiler cannot infer that the input and the output belong to one name. */
type Call<Result> = (name: string, input: unknown, options?: { readonly signal: AbortSignal }) => Result;

/** State of a query or a subscription. */
export type CallState<Value> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: Value }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };

/** Result of an action that has ended. */
export type ActionResult<Output> =
  | { readonly status: 'done'; readonly output: Output }
  | { readonly status: 'failed'; readonly error: CallError };

/** State of the latest run of an action that a person starts. */
export type ActionState<Input, Output> =
  | { readonly status: 'idle' }
  | { readonly status: 'pending'; readonly input: Input }
  | { readonly status: 'done'; readonly input: Input; readonly output: Output }
  | {
      readonly status: 'failed';
      readonly input: Input;
      readonly error: CallError;
      /** `useMutation` leaves it out if the mutation may have taken effect, because it could take effect twice. */
      readonly retry: (() => void) | undefined;
    };

/**
 * Creates the hooks that call the procedures of `Api`. Call it once for each page, outside of components.
 *
 * @param useClient returns the page's client, which may come from a context
 */
export function createHooks<Api>(useClient: () => Client<Api>) {
  /** Sends a query when the component mounts, and again when the input changes. */
  function useQuery<Name extends Names<Api, 'query'>>(
    name: Name,
    ...[input]: InputArgument<Api[Name]>
  ): CallState<OutputOf<Api[Name]>> {
    const query = useClient().query as Call<Promise<OutputOf<Api[Name]>>>;

    return useCall(JSON.stringify([name, input]), async (signal, show) => {
      show(await query(name, input, { signal }));
    });
  }

  /** Follows a subscription while the component is mounted, and returns its latest value. */
  function useSubscription<Name extends Names<Api, 'subscription'>>(
    name: Name,
    ...[input]: InputArgument<Api[Name]>
  ): CallState<OutputOf<Api[Name]>> {
    const subscribe = useClient().subscribe as Call<AsyncIterable<OutputOf<Api[Name]>>>;

    return useCall(JSON.stringify([name, input]), async (signal, show) => {
      for await (const value of subscribe(name, input, { signal })) show(value);
    });
  }

  /**
   * Returns the state of a mutation and a function that sends it. The function resolves to the outcome and never rejects. It
   * is the same in every render. Unmounting the component does not cancel the mutation.
   */
  function useMutation<Name extends Names<Api, 'mutation'>>(
    name: Name,
  ): readonly [
    ActionState<InputOf<Api[Name]>, OutputOf<Api[Name]>>,
    (...input: InputArgument<Api[Name]>) => Promise<ActionResult<OutputOf<Api[Name]>>>,
  ] {
    const mutate = useClient().mutate as Call<Promise<OutputOf<Api[Name]>>>;
    const [state, run] = useAction((input: InputOf<Api[Name]>) => mutate(name, input));
    const isInDoubt = state.status === 'failed' && state.error.delivery === 'unknown';
    return [
      isInDoubt ? { ...state, retry: undefined } : state,
      run as (...input: InputArgument<Api[Name]>) => Promise<ActionResult<OutputOf<Api[Name]>>>,
    ];
  }

  /**
   * Runs a call while the component is mounted, and returns the state of the latest run. The call runs again when `key`
   * changes and, after a failure, when the person retries it or the background answers again. Any error other than a
   * `CallError` is a bug in the page, and is thrown while the component renders.
   *
   * @param run calls the background with the signal, and shows values
   */
  function useCall<Value>(
    key: string,
    run: (signal: AbortSignal, show: (value: Value) => void) => Promise<void>,
  ): CallState<Value> {
    const [attempt, setAttempt] = useState(0);
    const call = `${attempt} ${key}`;
    const [latest, setLatest] = useState<{ readonly call: string; readonly state: CallState<Value> }>();
    const state: CallState<Value> = latest?.call === call ? latest.state : { status: 'loading' };
    const start = useEffectEvent(run);

    // A layout effect starts the call before the next paint.
    useLayoutEffect(() => {
      const abort = new AbortController();
      const { signal } = abort;
      const show = (next: CallState<Value>): void => {
        if (!signal.aborted) setLatest({ call, state: next });
      };

      start(signal, (value) => show({ status: 'ready', value })).catch((error: unknown) => {
        const retry = (): void => setAttempt((count) => count + 1);
        if (error instanceof CallError) show({ status: 'failed', error, retry });
        else if (!signal.aborted) setLatest(() => rethrow(error));
      });
      return () => abort.abort();
    }, [call]);

    useRetries(useClient(), () => {
      if (state.status === 'failed') state.retry();
    });

    return state;
  }

  return { useQuery, useSubscription, useMutation, useCall };
}

/**
 * Returns the state of an action and a function that starts it. The function resolves to the outcome, and is the same in every
 * render. If the action throws any error other than a `CallError`, the state is idle again and the function rejects with that
 * error.
 */
export function useAction<Input, Output>(
  action: (input: Input) => Promise<Output>,
): readonly [ActionState<Input, Output>, (input: Input) => Promise<ActionResult<Output>>] {
  const [state, setState] = useState<ActionState<Input, Output>>({ status: 'idle' });
  const latest = useRef(0);
  /** The action of the last render, which a retry runs too. */
  const current = useRef(action);
  useLayoutEffect(() => void (current.current = action));

  const run = useCallback(async function start(input: Input): Promise<ActionResult<Output>> {
    latest.current += 1;
    const own = latest.current;
    setState({ status: 'pending', input });
    const show = (next: ActionState<Input, Output>): void => {
      if (latest.current === own) setState(next);
    };
    try {
      const output = await current.current(input);
      show({ status: 'done', input, output });
      return { status: 'done', output };
    } catch (error) {
      if (!(error instanceof CallError)) {
        // Otherwise a button that is busy during the action would stay so.
        show({ status: 'idle' });
        throw error;
      }
      show({ status: 'failed', input, error, retry: () => void start(input) });
      return { status: 'failed', error };
    }
  }, []);

  return [state, run];
}

/** Throws an error while React renders, so that the error boundary of the page shows it. */
function rethrow(error: unknown): never {
  throw error;
}

const retries = new EventTarget();

/** Retries every query and every subscription of the page that has failed. */
export function retryFailedCalls(): void {
  retries.dispatchEvent(new Event('retry'));
}

/** Calls `listener` after `retryFailedCalls()`, and when the background answers again. */
function useRetries({ connection }: Pick<Client<unknown>, 'connection'>, listener: () => void): void {
  const onRetry = useEffectEvent(listener);

  useEffect(() => {
    const retry = (): void => onRetry();
    let wasAwake = connection.state().status === 'awake';
    const stop = connection.onChange(() => {
      const isAwake = connection.state().status === 'awake';
      if (isAwake && !wasAwake) retry();
      wasAwake = isAwake;
    });
    retries.addEventListener('retry', retry);
    return () => {
      retries.removeEventListener('retry', retry);
      stop();
    };
  }, [connection]);
}
