import type { contract } from '../../src/contract/contract.ts';
import { CallError } from '../../src/messaging/errors.ts';
import type { Client } from '../../src/messaging/client/client.ts';
import type { FixedWorker } from './fixed-worker.ts';

/** A client of a worker in which nothing ever changes. */
export function createFixedClient({ connection, answers }: FixedWorker): Client<typeof contract> {
  async function ask(name: keyof typeof contract): Promise<unknown> {
    const answer = answers[name];
    if (answer instanceof CallError) throw answer;
    return answer === undefined ? forever() : answer;
  }

  async function* subscribe(name: keyof typeof contract): AsyncGenerator<unknown, void> {
    yield await ask(name);
    await forever();
  }

  const client = {
    query: ask,
    mutate: ask,
    subscribe,
    connection: { state: () => connection, onChange: () => () => {} },
    resume: () => {},
    reconnect: () => {},
  };
  // With the name left open the compiler cannot see that each answer is the procedure's own.
  return client as unknown as Client<typeof contract>;
}

function forever(): Promise<never> {
  return new Promise(() => {});
}
