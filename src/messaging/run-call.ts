import { admitCall } from './admit-call.ts';
import { callHandler } from './call-handler.ts';
import type { Abort } from './create-abort.ts';
import type { Procedure } from './procedure.ts';
import type { MutationFrame, QueryFrame, AnswerFrame } from './frame.ts';
import type { Json } from './json.ts';
import { readOutput } from './read-output.ts';
import { reportFailure } from './report-failure.ts';
import type { Server } from './serve.ts';
import { unlessAborted } from './unless-aborted.ts';

/** Runs a query or a mutation and gives the frame that answers it; none when nobody waits any more. Never rejects. */
export async function runCall(
  server: Server,
  caller: string,
  frame: QueryFrame | MutationFrame,
  abort: Abort,
): Promise<AnswerFrame | undefined> {
  const { id, name } = frame;
  let procedure: Procedure | undefined;
  try {
    const admitted = await admitCall(server.contract, caller, frame);
    procedure = admitted.procedure;
    // The output is proven before a mutation is written: what cannot be answered does not take effect.
    const run = (state: unknown): unknown =>
      callHandler(server, name, { input: admitted.input, caller, abort, state });
    const isTransaction = frame.kind === 'mutation' && procedure.effect === 'state';
    const { transact, get } = server.state;
    const read = (output: unknown): Promise<Json> => readOutput(admitted.procedure, output);
    const value = isTransaction
      ? await transact(frame, abort, async (state) => read(await run(state)))
      : await read(await unlessAborted(abort, () => run({ get })));
    return { kind: 'value', id, value };
  } catch (error) {
    if (abort.reason() !== undefined) return undefined;
    return { kind: 'error', id, error: await reportFailure(error, procedure, server.log) };
  }
}
