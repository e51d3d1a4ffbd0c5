import type { Contract, Kind, Procedure } from './procedure.ts';
import { findFault } from './find-fault.ts';
import { Refusal } from './refusal.ts';
import { validate } from './validate.ts';

interface Asked {
  readonly kind: Kind;
  readonly name: string;
  readonly input?: unknown;
}

/** The procedure that is called and its validated input. */
interface Admitted {
  readonly procedure: Procedure;
  readonly input: unknown;
}

/**
 * Lets a call in or refuses it: first that the procedure exists, then who calls, and only then the input.
 *
 * @throws Refusal `UNKNOWN_PROCEDURE`, `FORBIDDEN`, `NOT_JSON`, `TOO_LARGE` or `INVALID_INPUT`
 */
export async function admitCall(contract: Contract, caller: string, asked: Asked): Promise<Admitted> {
  const procedure = Object.hasOwn(contract, asked.name) ? contract[asked.name] : undefined;
  if (procedure?.kind !== asked.kind) throw new Refusal({ code: 'UNKNOWN_PROCEDURE' });
  if (!procedure.callers.includes(caller)) throw new Refusal({ code: 'FORBIDDEN' });

  return { procedure, input: await readInput(procedure, asked.input) };
}

async function readInput({ input: schema, maxBytes }: Procedure, input: unknown): Promise<unknown> {
  const fault = findFault(input, maxBytes);
  if (fault !== undefined) throw new Refusal(fault);

  if (schema === undefined) {
    if (input === undefined) return undefined;
    throw new Refusal({ code: 'INVALID_INPUT', issues: [{ path: '', message: 'No input is expected.' }] });
  }

  const result = await validate(schema, input);
  if (result.issues !== undefined) throw new Refusal({ code: 'INVALID_INPUT', issues: result.issues });
  return result.value;
}
