import { CallError } from './call-error.ts';
import type { ErrorReport } from './call-error.ts';
import type { Link } from './create-link.ts';
import type { AnswerFrame } from './frame.ts';
import { DEFAULT_TIMEOUT, MAX_TIMEOUT } from './timeout.ts';

export interface CallOptions {
  /** Ends the call in `ABORTED`, and the handler's own signal with it. */
  readonly signal?: AbortSignal;
  /** Milliseconds until the call ends in `TIMEOUT`: 10,000 unless told, at most 600,000. */
  readonly timeout?: number;
}

export interface CallRequest extends CallOptions {
  readonly kind: 'query' | 'mutation';
  readonly name: string;
  readonly input: unknown;
  /** Whether it may be sent again when the worker died before it answered. */
  readonly isRepeatable: boolean;
  /** Whether `release` has to be called before the first frame is sent. */
  readonly isHeld: boolean;
}

/** A call that has started. */
export interface StartedCall {
  /** The output, or a `CallError`. */
  readonly outcome: Promise<unknown>;
  /** Lets a call be sent that was held back. */
  readonly release: () => void;
}

/**
 * Starts one query or mutation. It is sent again over every new port until it is answered, aborted or out of time: a
 * query may be asked twice, and a mutation bears a name under which the worker keeps its outcome. Only what has an
 * external effect is never sent twice.
 */
export function startCall(link: Link, request: CallRequest): StartedCall {
  const { kind, name, input, isRepeatable, signal, timeout = DEFAULT_TIMEOUT } = request;
  let resolve: (value: unknown) => void = () => {};
  let reject: (error: CallError) => void = () => {};
  const outcome = new Promise<unknown>((onValue, onError) => {
    resolve = onValue;
    reject = onError;
  });
  const startedAt = performance.now();
  const duration = Math.min(Math.max(timeout, 1), MAX_TIMEOUT);
  let isHeld = request.isHeld;
  let attempt = 0;
  let sentAt: number | undefined;

  const timer = setTimeout(() => {
    giveUp('TIMEOUT');
    link.connection.noteTimeout();
  }, duration);
  const abort = (): void => giveUp('ABORTED');

  function transmit(id: number): void {
    if (isHeld) return;
    attempt += 1;
    sentAt = performance.now();
    const call = { id, name, input, attempt, timeout: Math.max(Math.ceil(startedAt + duration - sentAt), 1) };
    link.post(kind === 'query' ? { kind, ...call } : { kind, ...call, page: link.page });
  }

  function receive(frame: AnswerFrame): void {
    if (frame.kind === 'error') fail(frame.error, true);
    if (frame.kind !== 'value') return;
    end();
    link.connection.noteRoundTrip(performance.now() - (sentAt ?? startedAt));
    resolve(frame.value);
  }

  function lose(): boolean {
    if (!isRepeatable && sentAt !== undefined) fail({ code: 'DISCONNECTED' }, false);
    return isRepeatable || sentAt === undefined;
  }

  function giveUp(code: 'TIMEOUT' | 'ABORTED'): void {
    if (sentAt !== undefined) link.post({ kind: 'abort', id, reason: code });
    fail({ code }, false);
  }

  function fail(report: ErrorReport, isAnswer: boolean): void {
    end();
    reject(new CallError(name, report, isAnswer ? 'handled' : sentAt === undefined ? 'not-sent' : 'unknown'));
  }

  function end(): void {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    link.end(id);
  }

  const id = link.number();
  if (signal?.aborted === true) abort();
  else {
    signal?.addEventListener('abort', abort);
    link.start(id, {
      transmit: () => transmit(id),
      receive,
      fail: (report) => fail(report, false),
      lose,
    });
  }

  return {
    outcome,
    release: () => {
      isHeld = false;
      transmit(id);
    },
  };
}
