import { DEFAULT_TIMEOUT, endOnReturn, startDeadline } from '../wire/waiting.ts';
import { CallError, isDeclared } from '../wire/errors.ts';
import { type AnswerFrame, type Connect, copyInput, isName } from '../wire/frames.ts';
import type { ArgumentsOf, CallProcedure, IsDeclared, NamesIf, OutputOf } from '../define/procedures.ts';
import { type Connection, createConnection, unanswered } from './connection.ts';
import { openStream } from './stream.ts';

export interface CallOptions {
  /** Aborting it ends the call in `ABORTED`, and aborts the handler's signal too. */
  readonly signal?: AbortSignal;
  /**
   * Milliseconds until the call ends in `TIMEOUT`: 10,000 by default, at most 600,000. Above 20,000, the background stays awake for
   * it.
   */
  readonly timeout?: number;
}

/**
 * Calls the background from a page. Every call that fails rejects with a `CallError`.
 *
 * `Api` has the procedures of the background. If `Caller` is the name of the page, only calls that this page may make compile.
 */
export interface Client<Api, Caller = never> {
  /** Reads a value. The query is sent again if the background stops before it answers. */
  readonly query: CallProcedure<Api, 'query', CallOptions, Caller>;
  /** Changes state exactly once. A page's mutations take effect one after the other, in the order of these calls. */
  readonly mutate: CallProcedure<Api, 'mutation', CallOptions, Caller>;
  /** Yields values until the handler ends or the loop exits. Aborting the signal ends the loop without an error. */
  readonly subscribe: <Name extends NamesIf<Api, 'subscription', Caller>[keyof Api & string]>(
    name: Name,
    ...rest: ArgumentsOf<Api[Name], Pick<CallOptions, 'signal'>>
  ) => AsyncGenerator<OutputOf<Api[Name]>, void>;
  readonly isDeclared: IsDeclared<Api>;
  /** The state of the connection, and a way to be notified of its changes. */
  readonly connection: Pick<Connection, 'state' | 'onChange'>;
  /** Resolves when all mutations made so far have settled. Await it before the page closes itself. */
  readonly settled: () => Promise<void>;
  /**
   * Starts a sleeping background. Call it when a person touches the page, so that a change reaches the background even if
   * the page then closes at once.
   */
  readonly wake: () => void;
  /**
   * Resumes subscriptions after the background has slept. Call it when the background is awake again.
   *
   * @param startedAt the start of that background, in ms since 1970. A port to an earlier background is replaced.
   */
  readonly resume: (startedAt?: number) => void;
  /** Replaces the port. Call it to try again, or when the page returns from the back/forward cache, where ports are lost. */
  readonly reconnect: () => void;
}

/**
 * Creates the client of one page: `createClient<Api>(connect)`. It calls `connect` for its first call, and whenever it needs
 * another port.
 */
export function createClient<Api, Caller = never>(connect: Connect): Client<Api, Caller> {
  const connection = createConnection(connect);
  /** An aborted mutation may settle before earlier ones, so this waits for those as well. */
  let settled = Promise.resolve();

  async function query(name: string, input?: unknown, options?: CallOptions): Promise<unknown> {
    const request = parseRequest(name, input, options);
    return startCall(connection, 'query', connection.nextId(), request);
  }

  async function mutate(name: string, input?: unknown, options?: CallOptions): Promise<unknown> {
    // If this throws, the call is not made, and later ones do not wait for it.
    const request = parseRequest(name, input, options);
    const call = startCall(connection, 'mutation', connection.nextId(), request, settled);
    settled = bothSettled(settled, call);
    return call;
  }

  function subscribe(name: string, input?: unknown, options?: CallOptions): AsyncGenerator {
    // The input is copied now. If it is not valid, the first request for a value rejects.
    const parsing = (async () => parseRequest(name, input, options))();
    parsing.catch(() => {});
    return endOnReturn(options?.signal, async function* (signal) {
      yield* openStream(connection, { ...(await parsing), signal });
    });
  }

  const { state, onChange, wake, resume, reconnect } = connection;
  // The types are safe, because the background validates inputs and outputs.
  return {
    query,
    mutate,
    subscribe,
    isDeclared,
    connection: { state, onChange },
    settled: () => settled,
    wake,
    resume,
    reconnect,
  } as unknown as Client<Api, Caller>;
}

async function bothSettled(earlier: Promise<void>, call: Promise<unknown>): Promise<void> {
  await Promise.allSettled([earlier, call]);
}

/** Returns a call's name, input and options. @throws CallError if they are not valid */
function parseRequest(name: string, input: unknown, { signal, timeout = DEFAULT_TIMEOUT }: CallOptions = {}) {
  if (!isName(name)) throw new CallError(name, { code: 'UNKNOWN_PROCEDURE' }, 'not-sent');
  return { name, signal, timeout, input: copyInput(name, input) };
}

/**
 * Starts a query or a mutation. The call is sent again over every new port until it is answered, aborted or out of time.
 * So a query may run more than once. For a mutation, the background records the outcome under `page` and `id`, and answers
 * later attempts with it.
 *
 * @param earlier resolves when all earlier mutations of this page have settled
 */
function startCall(
  connection: Connection,
  kind: 'query' | 'mutation',
  id: number,
  { name, input, signal, timeout }: ReturnType<typeof parseRequest>,
  earlier?: Promise<void>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => cancel('ABORTED');
    signal?.addEventListener('abort', onAbort);
    const timeLeft = startDeadline(timeout);
    const timer = setTimeout(() => cancel('TIMEOUT'), timeLeft());
    let isSettled = false;
    let attempt = 0;

    function start(): void {
      if (!isSettled)
        connection.add(id, {
          onPortOpen: send,
          needsPort: () => true,
          onFrame,
          cancel,
        });
    }

    function send(): void {
      const left = Math.ceil(timeLeft());
      // After a freeze or a change of the clock, the journal may have lost the entry of an earlier attempt, so the mutation
      // could take effect again.
      if (left <= 0) return cancel('TIMEOUT');

      attempt += 1;
      const call = { id, name, input, attempt, timeout: left };
      connection.post(
        kind === 'query' ? { kind, ...call } : { kind, ...call, page: connection.page, sentAt: Date.now() },
      );
    }

    function cancel(code: 'TIMEOUT' | 'ABORTED' | 'UNREACHABLE' | 'FORBIDDEN'): void {
      if (attempt > 0 && (code === 'TIMEOUT' || code === 'ABORTED')) {
        connection.post({ kind: 'abort', id, reason: code });
      }
      end();
      reject(unanswered(name, code, attempt));
    }

    function onFrame(frame: AnswerFrame): void {
      if (frame.kind !== 'value' && frame.kind !== 'error') return;
      end();
      if (frame.kind === 'value') return resolve(frame.value);
      // The error is about this attempt only. An earlier one may have taken effect.
      const isInDoubt = kind === 'mutation' && attempt > 1;
      return reject(new CallError(name, frame.error, isInDoubt ? 'unknown' : 'handled'));
    }

    function end(): void {
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      connection.remove(id);
    }

    if (signal?.aborted === true) return onAbort();
    if (earlier === undefined) start();
    else void earlier.then(start);
  });
}
