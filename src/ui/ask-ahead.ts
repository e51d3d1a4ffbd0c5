import type { contract } from '../contract/contract.ts';
import type { Client } from '../messaging/create-client.ts';
import type { InputOf, NameOf } from '../messaging/procedure.ts';

type Contract = typeof contract;
type Question = {
  [Name in NameOf<Contract, 'query'>]: InputOf<Contract[Name]> extends undefined ? Name : never;
}[NameOf<Contract, 'query'>];

/** A question that was asked before any component was there to ask it. */
export interface Ahead {
  readonly name: string;
  /** What was answered, if it was by now. */
  readonly value: () => unknown;
  /** The answer to come, for the first who asks; the next one has to ask anew. */
  readonly take: () => Promise<unknown> | undefined;
}

/**
 * Asks the worker for what the first frame waits for, while the page still loads: `useQuery` takes the answer over. So it
 * is shown as soon as React has the page.
 */
export function askAhead(client: Client<Contract>, name: Question): Ahead {
  let answer: Promise<unknown> | undefined = client.query(name);
  let value: unknown;
  void answer.then(
    (answered) => (value = answered),
    () => {
      // Told to whoever takes the answer over.
    },
  );
  return {
    name,
    value: () => value,
    take: () => {
      const taken = answer;
      answer = undefined;
      return taken;
    },
  };
}
