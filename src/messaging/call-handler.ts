import type { Abort } from './create-abort.ts';
import type { Json } from './json.ts';
import { Refusal } from './refusal.ts';
import type { Server } from './serve.ts';

/** What the server puts into a handler's context; `state` fits the kind of the procedure. */
interface Parts {
  readonly input: unknown;
  readonly caller: string;
  readonly abort: Abort;
  readonly state: unknown;
}

/**
 * Calls the handler of one procedure. The types that `Handlers` has checked end here: a name leads to its own handler.
 */
export function callHandler(
  { handlers }: Server,
  name: string,
  { input, caller, state, abort }: Parts,
): unknown {
  const handler = handlers[name] as (context: unknown) => unknown;
  const fail = (error: string, data: Json): Refusal =>
    new Refusal({ code: 'DECLARED', declared: { name: error, data } });

  const context = {
    input,
    caller,
    state,
    fail,
    get signal() {
      return abort.signal;
    },
  };
  return handler(context);
}
