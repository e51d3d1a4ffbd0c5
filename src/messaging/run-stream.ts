import { admitCall } from './admit-call.ts';
import { callHandler } from './call-handler.ts';
import type { Abort } from './create-abort.ts';
import type { Procedure } from './procedure.ts';
import type { AnswerFrame, SubscriptionFrame } from './frame.ts';
import { readOutput } from './read-output.ts';
import { reportFailure } from './report-failure.ts';
import type { Server } from './serve.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Where a stream's values go, and when the next is wanted. */
interface Consumer {
  /** Waits until the consumer asks for one more value. */
  readonly pulled: () => Promise<void>;
  readonly abort: Abort;
  readonly send: (frame: AnswerFrame) => void;
}

/**
 * Runs a subscription: the handler's generator is asked for a value only when the consumer asks for one. Never rejects.
 */
export async function runStream(
  server: Server,
  caller: string,
  frame: SubscriptionFrame,
  { pulled, abort, send }: Consumer,
): Promise<void> {
  const { id, name } = frame;
  let procedure: Procedure | undefined;
  let stop = (): void => {};
  try {
    const admitted = await admitCall(server.contract, caller, frame);
    procedure = admitted.procedure;
    const { get, watch } = server.state;
    const state = { get, watch: (key: string) => watch(key, abort.signal) };
    const returned = callHandler(server, name, { input: admitted.input, caller, abort, state });
    const values = (returned as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    stop = () => void values.return?.().catch((error: unknown) => server.log(crypto.randomUUID(), error));
    abort.signal.addEventListener('abort', stop);

    const ask = (): Promise<IteratorResult<unknown>> => unlessAborted(abort, () => values.next());
    for (let next = await ask(); next.done !== true; next = await ask()) {
      send({ kind: 'next', id, value: await readOutput(procedure, next.value) });
      await unlessAborted(abort, pulled);
    }
    send({ kind: 'end', id });
  } catch (error) {
    if (abort.reason() === undefined)
      send({ kind: 'error', id, error: await reportFailure(error, procedure, server.log) });
  } finally {
    stop();
  }
}
