import type { contract } from '../contract/contract.ts';
import type { Client } from '../messaging/client/client.ts';
import type { InputOf, NameOf, OutputOf } from '../messaging/contract.ts';

type Contract = typeof contract;
type Question = {
  [Name in NameOf<Contract, 'query'>]: InputOf<Contract[Name]> extends undefined ? Name : never;
}[NameOf<Contract, 'query'>];

/** A question that was asked before any component was there to ask it. */
export interface Ahead {
  readonly name: string;
  /** The answer, if it is in the document that React takes over. */
  readonly shown: unknown;
  /** The answer, here or to come, for the first who asks; the next one has to ask anew. */
  readonly take: () => Promise<unknown> | undefined;
}

interface Asked {
  /** Resolves when the question has ended. Why there is no answer to show is told to whoever takes it over. */
  readonly isShown: Promise<boolean>;
  /** Leaves the document to React, with what is in it. */
  readonly handOver: () => Ahead;
}

/**
 * Asks the worker for what the first frame waits for while React still loads.
 *
 * @param show writes an answer into what the build has rendered, and tells whether it is there now
 */
export function askAhead<Name extends Question>(
  client: Client<Contract>,
  name: Name,
  show: (value: OutputOf<Contract[Name]>) => boolean,
): Asked {
  // With the name left open the compiler cannot see that the output is this procedure's own.
  const ask = client.query as (name: string) => Promise<OutputOf<Contract[Name]>>;
  let isHandedOver = false;
  let shown: unknown;
  const asked = askAndShow();
  let answer: typeof asked | undefined = asked;

  return {
    isShown: asked.then(
      () => shown !== undefined,
      () => false,
    ),
    handOver: () => {
      isHandedOver = true;
      const take = (): Promise<unknown> | undefined => {
        const taken = answer;
        answer = undefined;
        return taken;
      };
      return { name, shown, take };
    },
  };

  async function askAndShow(): Promise<unknown> {
    const value = await ask(name);
    if (!isHandedOver && show(value)) shown = value;
    return value;
  }
}
