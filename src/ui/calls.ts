import { useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';

import type { contract } from '../contract/contract.ts';
import { CallError } from '../messaging/errors.ts';
import type { InputOf, NameOf, OutputOf } from '../messaging/contract.ts';
import { useExtension } from './extension.ts';

type Contract = typeof contract;
type InputArgument<Name extends keyof Contract> =
  InputOf<Contract[Name]> extends undefined ? [] : [input: InputOf<Contract[Name]>];

/** A procedure with its name left open, so that the compiler cannot see that input and output are this one's own. */
type Call<Result> = (name: string, input: unknown, options?: { readonly signal: AbortSignal }) => Result;

/** What a page has of something that it asked the background for. */
export type CallState<Value> =
  | { readonly status: 'loading' }
  | { readonly status: 'ready'; readonly value: Value }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };

/** Asks the background when the component is shown, and again when the input changes. */
export function useQuery<Name extends NameOf<Contract, 'query'>>(
  name: Name,
  ...[input]: InputArgument<Name>
): CallState<OutputOf<Contract[Name]>> {
  const { client } = useExtension();
  const query = client.query as Call<Promise<OutputOf<Contract[Name]>>>;

  return useCallState(JSON.stringify([name, input]), async (signal, take) => {
    take(await query(name, input, { signal }));
  });
}

/** The latest value of a subscription, for as long as the component is shown. */
export function useSubscription<Name extends NameOf<Contract, 'subscription'>>(
  name: Name,
  ...[input]: InputArgument<Name>
): CallState<OutputOf<Contract[Name]>> {
  const { client } = useExtension();
  const subscribe = client.subscribe as Call<AsyncIterable<OutputOf<Contract[Name]>>>;

  return useCallState(JSON.stringify([name, input]), async (signal, take) => {
    for await (const value of subscribe(name, input, { signal })) take(value);
  });
}

/** How a change ended. */
export type Outcome<Output> =
  | { readonly status: 'done'; readonly output: Output }
  | { readonly status: 'failed'; readonly error: CallError };

/** How the last change that was asked for stands. */
export type MutationState<In, Out> =
  | { readonly status: 'idle' }
  | { readonly status: 'pending'; readonly input: In }
  | { readonly status: 'done'; readonly input: In; readonly output: Out }
  | {
      readonly status: 'failed';
      readonly input: In;
      readonly error: CallError;
      readonly retry: () => void;
    };

/**
 * A change, and the function that asks for it and resolves to its outcome. It never rejects, and goes on when the
 * component is gone: nothing is lost by leaving.
 */
export function useMutation<Name extends NameOf<Contract, 'mutation'>>(
  name: Name,
): readonly [
  MutationState<InputOf<Contract[Name]>, OutputOf<Contract[Name]>>,
  (...input: InputArgument<Name>) => Promise<Outcome<OutputOf<Contract[Name]>>>,
] {
  type Input = InputOf<Contract[Name]>;
  type Output = OutputOf<Contract[Name]>;
  const { client } = useExtension();
  const mutate = client.mutate as Call<Promise<Output>>;
  const [state, setState] = useState<MutationState<Input, Output>>({ status: 'idle' });
  const latest = useRef(0);

  async function run(input: Input): Promise<Outcome<Output>> {
    latest.current += 1;
    const own = latest.current;
    setState({ status: 'pending', input });
    const outcome = await settle(mutate(name, input));
    if (latest.current === own) setState({ ...retryable(outcome, () => void run(input)), input });
    return outcome;
  }

  return [state, (...[input]) => run(input as Input)];
}

/** How something that a person started stands. */
export type TaskState<Value> =
  | { readonly status: 'idle' | 'pending' }
  | { readonly status: 'done'; readonly output: Value }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };

/** Something that a person starts, of which only the last run counts. */
export function useTask<Value>(run: () => Promise<Value>): readonly [TaskState<Value>, () => void] {
  const [state, setState] = useState<TaskState<Value>>({ status: 'idle' });
  const latest = useRef(0);

  async function start(): Promise<void> {
    latest.current += 1;
    const own = latest.current;
    setState({ status: 'pending' });
    const outcome = await settle(run());
    if (latest.current === own) setState(retryable(outcome, () => void start()));
  }

  return [state, () => void start()];
}

/** Calls `listener` whenever the background answers again after it did not, so that what failed can be tried again. */
export function useReturnOfBackground(listener: () => void): void {
  const { connection } = useExtension().client;
  const onReturn = useEffectEvent(listener);

  useEffect(() => {
    let wasAwake = connection.state().status === 'awake';
    return connection.onChange(() => {
      const isAwake = connection.state().status === 'awake';
      if (isAwake && !wasAwake) onReturn();
      wasAwake = isAwake;
    });
  }, [connection]);
}

/** What a client throws, which is a `CallError`; anything else is a fault of this page and thrown on. */
export function toCallError(error: unknown): CallError {
  if (error instanceof CallError) return error;
  throw error;
}

type Run<Value> = (signal: AbortSignal, take: (value: Value) => void) => Promise<void>;

/**
 * Runs a call for as long as the component is shown, and again when `key` changes, when the person retries, or when it
 * has failed and the background answers again.
 */
function useCallState<Value>(key: string, run: Run<Value>): CallState<Value> {
  const [attempt, setAttempt] = useState(0);
  const call = `${attempt} ${key}`;
  const [latest, setLatest] = useState<{ readonly call: string; readonly state: CallState<Value> }>();
  const state: CallState<Value> = latest?.call === call ? latest.state : { status: 'loading' };
  const start = useEffectEvent(run);

  // Before the next paint: what the page has by then is in the first frame that React draws.
  useLayoutEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const show = (next: CallState<Value>): void => {
      if (!signal.aborted) setLatest({ call, state: next });
    };

    start(signal, (value) => show({ status: 'ready', value })).catch((error: unknown) => {
      const retry = (): void => setAttempt((count) => count + 1);
      show({ status: 'failed', error: toCallError(error), retry });
    });
    return () => abort.abort();
  }, [call]);

  useReturnOfBackground(() => {
    if (state.status === 'failed') state.retry();
  });

  return state;
}

function settle<Output>(call: Promise<Output>): Promise<Outcome<Output>> {
  return call.then(
    (output) => ({ status: 'done', output }) as const,
    (error: unknown) => ({ status: 'failed', error: toCallError(error) }) as const,
  );
}

function retryable<Output>(outcome: Outcome<Output>, retry: () => void) {
  return outcome.status === 'done' ? outcome : { ...outcome, retry };
}
