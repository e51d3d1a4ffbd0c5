import type { OpeningFrame } from './frame.ts';
import type { Contract, Procedure } from './procedure.ts';
import { Refusal } from './refusal.ts';

/**
 * Lets a call to a procedure in or refuses it, before its input is looked at.
 *
 * @throws Refusal `UNKNOWN_PROCEDURE` or `FORBIDDEN`
 */
export function admitCall(contract: Contract, caller: string, { kind, name }: OpeningFrame): Procedure {
  const procedure = Object.hasOwn(contract, name) ? contract[name] : undefined;
  if (procedure?.kind !== kind) throw new Refusal({ code: 'UNKNOWN_PROCEDURE' });
  if (!procedure.callers.includes(caller)) throw new Refusal({ code: 'FORBIDDEN' });
  return procedure;
}
