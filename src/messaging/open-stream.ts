import { CallError } from './call-error.ts';
import type { ErrorCode } from './call-error.ts';
import type { Link } from './create-link.ts';
import { createNotify } from './create-notify.ts';
import type { AnswerFrame } from './frame.ts';

/**
 * Opens one subscription and yields its values until the handler ends it, the signal is aborted or the loop is left.
 * When the worker died, the handler starts over at the next connection; what it had sent and nobody took is dropped
 * then, so that the first value taken is a fresh one.
 *
 * @throws CallError what the handler ended in, or `UNREACHABLE`
 */
export async function* openStream(
  link: Link,
  name: string,
  input: unknown,
  signal: AbortSignal | undefined,
): AsyncGenerator<unknown, void> {
  const id = link.number();
  const values: unknown[] = [];
  const { notify, notified } = createNotify();
  let attempt = 0;
  let hasStarted = false;
  let isEnded = false;
  let failure: CallError | undefined;

  const isAborted = (): boolean => signal?.aborted === true;

  function receive(frame: AnswerFrame): void {
    hasStarted = true;
    if (frame.kind === 'next') values.push(frame.value);
    else if (frame.kind === 'end') isEnded = true;
    else if (frame.kind === 'error') failure = new CallError(name, frame.error, 'handled');
    if (frame.kind !== 'next') link.end(id);
    notify();
  }

  /** Only when no port can be opened any more: a stream has no deadline. */
  function giveUp(code: ErrorCode): void {
    failure = new CallError(name, { code }, 'unknown');
    notify();
  }

  function transmit(): void {
    attempt += 1;
    values.length = 0;
    link.post({ kind: 'subscription', id, name, input, attempt });
  }

  function close(): void {
    signal?.removeEventListener('abort', close);
    link.end(id);
    link.post({ kind: 'abort', id, reason: 'ABORTED' });
    notify();
  }

  if (isAborted()) return;
  signal?.addEventListener('abort', close);
  try {
    // What never came is waited for; what may come some day lets the worker sleep.
    link.start(id, { deadline: Infinity, transmit, receive, giveUp, lose: () => !hasStarted });
    while (!isAborted()) {
      if (values.length > 0) {
        const sentIn = attempt;
        yield values.shift();
        if (sentIn === attempt) link.post({ kind: 'pull', id });
      } else if (failure !== undefined) throw failure;
      else if (isEnded) return;
      else await notified();
    }
  } finally {
    close();
  }
}
