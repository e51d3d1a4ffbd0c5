import type { ArgumentsOf, Contract, IsDeclared, NameOf, OutputOf } from '../contract.ts';
import { DEFAULT_TIMEOUT, startDeadline } from '../deadline.ts';
import { CallError, copyInput, type Delivery, type ErrorReport, isDeclared } from '../errors.ts';
import type { AnswerFrame, Connect } from '../wire.ts';
import { type Connection, createConnection } from './connection.ts';
import { openStream } from './stream.ts';

export interface CallOptions {
  /** Ends the call in `ABORTED`, and aborts the handler's own signal. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the call ends in `TIMEOUT`: 10,000 by default, at most 600,000. */
  readonly timeout?: number;
}

/** Calls the background from a page. Every call that fails rejects with a `CallError`. */
export interface Client<C extends Contract> {
  /** Asks for a value. The query is sent again if the background stops before it answers. */
  readonly query: <Name extends NameOf<C, 'query'>>(
    name: Name,
    ...rest: ArgumentsOf<C[Name], CallOptions>
  ) => Promise<OutputOf<C[Name]>>;
  /** Changes state exactly once. A page's mutations take effect one after the other, in the order of these calls. */
  readonly mutate: <Name extends NameOf<C, 'mutation'>>(
    name: Name,
    ...rest: ArgumentsOf<C[Name], CallOptions>
  ) => Promise<OutputOf<C[Name]>>;
  /** Yields until the handler ends, the signal is aborted (which ends the loop without an error) or the loop is left. */
  readonly subscribe: <Name extends NameOf<C, 'subscription'>>(
    name: Name,
    ...rest: ArgumentsOf<C[Name], { readonly signal?: AbortSignal }>
  ) => AsyncGenerator<OutputOf<C[Name]>, void>;
  readonly isDeclared: IsDeclared<C>;
  /** The state of the connection, and a way to be notified of its changes. */
  readonly connection: Pick<Connection, 'state' | 'onChange'>;
  /** Resolves when all mutations made so far have settled. Await it before the page closes itself. */
  readonly settled: () => Promise<void>;
  /**
   * Starts a background that sleeps. Call it when a person touches the page, so that a change reaches the background even if
   * the page then closes at once.
   */
  readonly wake: () => void;
  /**
   * Continues subscriptions after the background has slept. Call it when the background is awake again.
   *
   * @param startedAt when that background started, in ms since 1970; a port to an earlier one is replaced
   */
  readonly resume: (startedAt?: number) => void;
  /** Opens a new port. Call it to try again, or when the page returns from the back/forward cache, where ports are lost. */
  readonly reconnect: () => void;
  /** Lets the background drop the outcomes that this page has received. Call it when the page is hidden. */
  readonly acknowledge: () => void;
}

/**
 * Creates the client of one page: `createClient<typeof contract>(connect)`. It needs only the type of the contract. It calls
 * `connect` for its first call, and again when the port is lost.
 */
export function createClient<C extends Contract>(connect: Connect): Client<C> {
  const connection = createConnection(connect, acknowledge, onAcknowledged);
  /** Resolves when all mutations made so far have settled. The last one may settle first, when it is aborted. */
  let pending: Promise<void> | undefined;
  let unsettled = 0;
  /** The last mutation that has settled, until the background confirms that it dropped the outcome; otherwise 0. */
  let unacknowledged = 0;

  /** Nothing is posted while there is another mutation, which replaces the outcome in the journal. */
  function acknowledge(): void {
    if (unacknowledged === 0 || unsettled > 0) return;
    connection.post({ kind: 'ack', id: unacknowledged, page: connection.page });
  }

  function onAcknowledged(id: number): void {
    if (unacknowledged === id) unacknowledged = 0;
  }

  async function query(name: string, input?: unknown, options?: CallOptions): Promise<unknown> {
    const request = parseRequest(name, input, options);
    return startCall(connection, 'query', connection.nextId(), request);
  }

  async function mutate(name: string, input?: unknown, options?: CallOptions): Promise<unknown> {
    // This may throw, and a call that is not made must not take a turn.
    const request = parseRequest(name, input, options);
    const id = connection.nextId();
    const turn = pending;
    let finish = (): void => {};
    // Set before the call starts, because a listener of the connection may then make the next mutation.
    pending = new Promise<void>((resolve) => (finish = resolve));
    unsettled += 1;
    try {
      return await startCall(connection, 'mutation', id, request, turn);
    } finally {
      unsettled -= 1;
      unacknowledged = id;
      // Not at once, because the caller often makes its next mutation now.
      setTimeout(acknowledge);
      void Promise.resolve(turn).then(finish);
    }
  }

  async function* subscribe(name: string, input?: unknown, options?: CallOptions): AsyncGenerator {
    yield* openStream(connection, parseRequest(name, input, options));
  }

  const { state, onChange, wake, resume, reconnect } = connection;
  // The background checks that calls and values are of the contract's types.
  return {
    query,
    mutate,
    subscribe,
    isDeclared,
    connection: { state, onChange },
    settled: async () => pending,
    wake,
    resume,
    reconnect,
    acknowledge,
  } as unknown as Client<C>;
}

/** A call's name, input and options. */
function parseRequest(name: string, input: unknown, options: CallOptions | undefined) {
  return { name, ...parseOptions(name, options), input: copyInput(name, input) };
}

/** Checks options that untyped code may have passed: a call with wrong ones would never settle. */
function parseOptions(name: string, options: CallOptions | undefined) {
  const fail = (path: string, message: string): CallError =>
    new CallError(name, { code: 'INVALID_INPUT', issues: [{ path, message }] }, 'not-sent');
  let signal: AbortSignal | undefined;
  let timeout: number;
  try {
    ({ signal, timeout = DEFAULT_TIMEOUT } = options ?? {});
  } catch {
    throw fail('options', 'cannot be read');
  }
  if (typeof timeout !== 'number') throw fail('timeout', 'must be a number of milliseconds');
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw fail('signal', 'must be an AbortSignal');
  return { signal, timeout };
}

/**
 * Starts a query or a mutation. The call is sent again over every new port until it is answered, aborted or out of time.
 * So a query may run twice. For a mutation the background records `page` and `id`, and repeats its recorded outcome.
 *
 * ```
 *             its turn, and a port            answered
 *   waiting ──────────────────────▶ sent (n) ──────────▶ settled
 *      │                             │   ▲                  ▲
 *      │                             └───┘ port lost: n + 1 │
 *      └─────────── aborted, out of time, unreachable ──────┘
 * ```
 *
 * @param turn resolves when all earlier mutations of this page have settled
 */
function startCall(
  connection: Connection,
  kind: 'query' | 'mutation',
  id: number,
  { name, input, signal, timeout }: ReturnType<typeof parseRequest>,
  turn?: Promise<void>,
): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => cancel('ABORTED');
    signal?.addEventListener('abort', onAbort);
    const timeLeft = startDeadline(timeout);
    const timer = setTimeout(() => cancel('TIMEOUT'), timeLeft());
    let isSettled = false;
    let attempt = 0;
    let sentAt = 0;

    function start(): void {
      if (!isSettled) connection.add(id, { onPortOpen: send, onPortLost: () => true, onFrame, cancel });
    }

    function send(): void {
      const left = Math.ceil(timeLeft());
      // After a freeze or a change of the clock, the journal may no longer have the entry of an earlier attempt.
      if (left <= 0) return cancel('TIMEOUT');

      attempt += 1;
      sentAt = performance.now();
      const call = { id, name, input, attempt, timeout: left };
      connection.post(
        kind === 'query' ? { kind, ...call } : { kind, ...call, page: connection.page, sentAt: Date.now() },
      );
    }

    function cancel(code: 'TIMEOUT' | 'ABORTED' | 'UNREACHABLE' | 'TOO_LARGE'): void {
      if (attempt > 0 && (code === 'TIMEOUT' || code === 'ABORTED')) {
        connection.post({ kind: 'abort', id, reason: code });
      }
      fail({ code }, attempt === 0 || (attempt === 1 && code === 'TOO_LARGE') ? 'not-sent' : 'unknown');
    }

    function onFrame(frame: AnswerFrame): void {
      // The answer is about this attempt alone. An earlier one may have taken effect.
      if (frame.kind === 'error') {
        const isInDoubt = kind === 'mutation' && (attempt > 1 || frame.error.code === 'DISCONNECTED');
        fail(frame.error, isInDoubt ? 'unknown' : 'handled');
      } else if (frame.kind === 'value') {
        end();
        connection.setRoundTrip(performance.now() - sentAt);
        resolve(frame.value);
      }
    }

    function fail(report: ErrorReport, delivery: Delivery): void {
      end();
      reject(new CallError(name, report, delivery));
    }

    function end(): void {
      isSettled = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      connection.remove(id);
    }

    if (signal?.aborted === true) return onAbort();
    if (turn === undefined) start();
    else void turn.then(start);
  });
}
