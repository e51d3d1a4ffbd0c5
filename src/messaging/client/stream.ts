import { CallError } from '../errors.ts';
import type { AnswerFrame } from '../wire.ts';
import type { Connection } from './connection.ts';

/**
 * Opens one subscription and yields its values until the handler ends it, the signal is aborted or the loop exits.
 * Each value is requested when the consumer wants it, so that no value waits here and becomes stale. If the background
 * stops, the handler starts again over the next port.
 *
 * @throws CallError if the subscription fails
 */
export async function* openStream(
  connection: Connection,
  { name, input, signal }: { name: string; input: unknown; signal: AbortSignal | undefined },
): AsyncGenerator {
  const id = connection.nextId();
  let attempt = 0;
  /** The handler was started over the current port and has not ended. */
  let isRunning = false;
  let hasAnswered = false;
  let failure: CallError | undefined;
  /** Ends the consumer's wait for a value. Set only while it waits. */
  let settle: ((frame: AnswerFrame | undefined) => void) | undefined;

  /** Requests a value. If the handler is not running, this starts it. */
  function request(): void {
    if (!connection.isOpen()) return;
    if (isRunning) return connection.post({ kind: 'pull', id });
    isRunning = true;
    attempt += 1;
    connection.post({ kind: 'subscription', id, name, input, attempt });
  }

  function onFrame(frame: AnswerFrame): void {
    hasAnswered = true;
    isRunning = frame.kind === 'next';
    if (frame.kind === 'error') failure = new CallError(name, frame.error, 'handled');
    settle?.(frame);
  }

  /** Returns `true` until the first answer. After that, the stream waits until something else wakes the background. */
  function onPortLost(): boolean {
    isRunning = false;
    return !hasAnswered;
  }

  function cancel(code: 'UNREACHABLE' | 'FORBIDDEN' | 'TOO_LARGE'): void {
    const mayHaveRun = attempt > (code === 'TOO_LARGE' ? 1 : 0);
    const delivery = mayHaveRun ? 'unknown' : 'not-sent';
    failure = new CallError(name, { code }, code === 'FORBIDDEN' ? 'handled' : delivery);
    settle?.(undefined);
  }

  function close(): void {
    signal?.removeEventListener('abort', close);
    connection.remove(id);
    if (isRunning) connection.post({ kind: 'abort', id, reason: 'ABORTED' });
    isRunning = false;
    settle?.(undefined);
  }

  signal?.addEventListener('abort', close);
  try {
    for (let isFirst = true; signal?.aborted !== true; isFirst = false) {
      const waiting = new Promise<AnswerFrame | undefined>((resolve) => (settle = resolve));
      if (isFirst) connection.add(id, { onPortOpen: () => settle && request(), onPortLost, onFrame, cancel });
      else if (failure === undefined) request();
      const frame = failure === undefined ? await waiting : undefined;
      settle = undefined;
      if (failure !== undefined) throw failure;
      if (frame?.kind !== 'next') return;
      yield frame.value;
    }
  } finally {
    close();
  }
}
