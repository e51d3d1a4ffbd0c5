import { CallError } from '../wire/errors.ts';
import type { AnswerFrame } from '../wire/frames.ts';
import { type Connection, unanswered } from './connection.ts';

/**
 * Opens one subscription and yields its values until the handler ends it, the signal is aborted or the loop exits.
 * Each value is requested when the consumer wants it, so that no value waits here and becomes stale. If the background
 * stops, the handler starts again over the next port.
 *
 * @throws CallError if the subscription fails
 */
export async function* openStream(
  connection: Connection,
  { name, input, signal }: { name: string; input: unknown; signal: AbortSignal },
): AsyncGenerator<unknown, void> {
  const id = connection.nextId();
  let attempt = 0;
  /** The handler was started over the latest port and has not ended. */
  let isRunning = false;
  let hasAnswered = false;
  let failure: CallError | undefined;
  /** Ends the consumer's wait for a value. Set only while it waits. */
  let settle: ((frame?: AnswerFrame) => void) | undefined;

  /** Requests a value. If the handler is not running, this starts it. */
  function request(): void {
    const isPosted = connection.post(
      isRunning ? { kind: 'pull', id } : { kind: 'subscription', id, name, input, attempt: attempt + 1 },
    );
    if (isPosted && !isRunning) attempt += 1;
    isRunning = isPosted;
  }

  function close(): void {
    signal.removeEventListener('abort', close);
    connection.remove(id);
    if (isRunning) connection.post({ kind: 'abort', id, reason: 'ABORTED' });
    isRunning = false;
    settle?.();
  }

  function start(): void {
    connection.add(id, {
      onPortOpen: () => {
        isRunning = false;
        if (settle !== undefined) request();
      },
      // Until the first answer, the stream needs a port. After that, it waits until something else wakes the background.
      needsPort: () => !hasAnswered,
      onFrame: (frame) => {
        hasAnswered = true;
        isRunning = frame.kind === 'next';
        if (frame.kind === 'error') failure = new CallError(name, frame.error, 'handled');
        settle?.(frame);
      },
      cancel: (code) => {
        failure = unanswered(name, code, attempt);
        settle?.();
      },
    });
  }

  signal.addEventListener('abort', close);
  try {
    for (let next = start; !signal.aborted; next = request) {
      const waiting = new Promise<AnswerFrame | undefined>((resolve) => (settle = resolve));
      if (failure === undefined) next();
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
