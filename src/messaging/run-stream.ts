import { admitCall } from './admit-call.ts';
import { callHandler } from './call-handler.ts';
import type { Credit } from './create-credit.ts';
import type { Procedure } from './define-contract.ts';
import type { AnswerFrame, SubscriptionFrame } from './frame.ts';
import { readOutput } from './read-output.ts';
import { reportFailure } from './report-failure.ts';
import type { Server } from './serve.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Where a stream's values go, and how far it may run. */
interface Consumer {
  readonly take: Credit['take'];
  readonly signal: AbortSignal;
  readonly send: (frame: AnswerFrame) => void;
}

/** Runs a subscription: the handler's generator is asked for a value only when the consumer can take one. Never rejects. */
export async function runStream(
  server: Server,
  caller: string,
  frame: SubscriptionFrame,
  { take, signal, send }: Consumer,
): Promise<void> {
  const { id, name } = frame;
  let procedure: Procedure | undefined;
  let stop = (): void => {};
  try {
    const admitted = await admitCall(server.contract, caller, frame);
    procedure = admitted.procedure;
    const { get, watch } = server.state;
    const state = { get, watch: (key: string) => watch(key, signal) };
    const returned = callHandler(server, name, { input: admitted.input, caller, signal, state });
    const values = (returned as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    stop = () => void values.return?.().catch((error: unknown) => server.log(crypto.randomUUID(), error));
    signal.addEventListener('abort', stop);

    while (await take()) {
      const next = await unlessAborted(signal, () => values.next());
      if (next.done === true) {
        send({ kind: 'end', id });
        return;
      }
      send({ kind: 'next', id, value: await readOutput(procedure, next.value) });
    }
  } catch (error) {
    if (!signal.aborted)
      send({ kind: 'error', id, error: await reportFailure(error, procedure, server.log) });
  } finally {
    stop();
  }
}
