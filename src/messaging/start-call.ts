import { CallError } from './call-error.ts';
import type { Delivery, ErrorCode, ErrorReport } from './call-error.ts';
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
  /** Lets a call be sent that was held back, if it was. */
  readonly release: () => void;
}

/**
 * Starts one query or mutation. It is sent again over every new port until it is answered, aborted or out of time: a
 * query may be asked twice, and a mutation bears a name under which the worker keeps its outcome. Only what has an
 * external effect is never sent twice.
 */
export function startCall(link: Link, request: CallRequest): StartedCall {
  const { kind, name, input, isRepeatable, signal, timeout = DEFAULT_TIMEOUT } = request;
  const id = link.number();
  // NaN, too, is no time at all.
  const duration = timeout >= 1 ? Math.min(timeout, MAX_TIMEOUT) : 1;
  const deadline = performance.now() + duration;
  const startedAt = Date.now();
  let { isHeld } = request;
  let attempt = 0;
  let sentAt = 0;
  let release = (): void => {};

  const outcome = new Promise<unknown>((resolve, reject) => {
    const abort = (): void => giveUp('ABORTED');

    function transmit(): void {
      if (isHeld) return;
      sentAt = performance.now();
      const left = Math.ceil(Math.min(deadline - sentAt, duration - Math.abs(Date.now() - startedAt)));
      // Timers rest with a frozen page, and one clock or the other with the machine: what is late is never sent again.
      // Nor is it when the clock was set back, by which the worker may take its slot for an old one.
      if (left <= 0) return giveUp('TIMEOUT');

      attempt += 1;
      const call = { id, name, input, attempt, timeout: left };
      link.post(kind === 'query' ? { kind, ...call } : { kind, ...call, page: link.page });
    }

    release = () => {
      if (!isHeld) return;
      isHeld = false;
      if (link.isOpen()) transmit();
    };

    function end(): void {
      signal?.removeEventListener('abort', abort);
      link.end(id);
    }

    function fail(report: ErrorReport, delivery: Delivery = attempt === 0 ? 'not-sent' : 'unknown'): void {
      end();
      reject(new CallError(name, report, delivery));
    }

    function giveUp(code: 'TIMEOUT' | 'ABORTED' | 'UNREACHABLE'): void {
      if (attempt > 0 && code !== 'UNREACHABLE') link.post({ kind: 'abort', id, reason: code });
      fail({ code });
    }

    function receive(frame: AnswerFrame): void {
      if (frame.kind === 'error') fail(frame.error, isInDoubt(frame.error.code) ? 'unknown' : 'handled');
      if (frame.kind !== 'value') return;
      end();
      link.noteRoundTrip(performance.now() - sentAt);
      resolve(frame.value);
    }

    /** What ends before the worker has seen the slot says nothing about the attempts before. */
    function isInDoubt(code: ErrorCode): boolean {
      return kind === 'mutation' && attempt > 1 && (code === 'NOT_READ' || code === 'ABORTED');
    }

    function lose(): boolean {
      const isLost = attempt > 0 && !isRepeatable;
      if (isLost) fail({ code: 'DISCONNECTED' });
      return !isLost;
    }

    if (signal?.aborted === true) abort();
    else {
      signal?.addEventListener('abort', abort);
      link.start(id, { deadline, transmit, receive, giveUp, lose });
    }
  });

  return { outcome, release };
}
