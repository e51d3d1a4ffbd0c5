import { admitCall } from './admit-call.ts';
import type { Abort } from './create-abort.ts';
import type { AnswerFrame, OpeningFrame } from './frame.ts';
import type { Json } from './json.ts';
import { paceStream } from './pace-stream.ts';
import type { Procedure } from './procedure.ts';
import { readInput } from './read-input.ts';
import { readOutput } from './read-output.ts';
import { Refusal } from './refusal.ts';
import { reportFailure } from './report-failure.ts';
import type { Server } from './serve.ts';

/** Where the answers to a call or a stream go, and when a stream's next value is wanted. */
interface Consumer {
  readonly abort: Abort;
  readonly send: (frame: AnswerFrame) => void;
  /** Waits until one more value is asked for. */
  readonly pulled: () => Promise<void>;
}

/** Runs a call or a stream and sends its answers; none any more when it is aborted. Never rejects. */
export async function runCall(
  { contract, handlers, state, log }: Server,
  caller: string,
  frame: OpeningFrame,
  { abort, send, pulled }: Consumer,
): Promise<void> {
  const { id, name } = frame;
  const { get, watch, transact } = state;
  let procedure: Procedure | undefined;
  try {
    procedure = admitCall(contract, caller, frame);
    const { output, effect, maxBytes } = procedure;
    const input = await readInput(procedure, frame.input);
    const read = (value: unknown): Promise<Json> => readOutput(output, maxBytes, value);
    // The types that `Handlers` has checked end here: a name leads to its own handler, with the state of its kind.
    const handler = handlers[name] as (context: unknown) => unknown;
    const run = (given: unknown): unknown => handler(createContext(caller, input, given, abort));

    if (frame.kind === 'subscription') {
      const stream = run({ get, watch: (key: string) => watch(key, abort.signal) }) as AsyncIterable<unknown>;
      for await (const value of paceStream(stream, pulled, abort, log)) {
        send({ kind: 'next', id, value: await read(value) });
      }
      send({ kind: 'end', id });
    } else if (frame.kind === 'mutation' && effect === 'state') {
      // The output is proven before a mutation is written: what cannot be answered does not take effect.
      const value = await transact(frame, abort, async (transaction) => read(await run(transaction)));
      send({ kind: 'value', id, value });
    } else {
      send({ kind: 'value', id, value: await read(await abort.race(() => run({ get }))) });
    }
  } catch (error) {
    if (abort.reason() !== undefined) return;
    send({ kind: 'error', id, error: await reportFailure(error, log, procedure) });
  }
}

function createContext(caller: string, input: unknown, state: unknown, abort: Abort): object {
  return {
    caller,
    input,
    state,
    fail: (error: string, data: Json) => new Refusal({ code: 'DECLARED', declared: { name: error, data } }),
    get signal() {
      return abort.signal;
    },
  };
}
