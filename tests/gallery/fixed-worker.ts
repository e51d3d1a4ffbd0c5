import manifest from '../../manifest.json' with { type: 'json' };
import type { Api } from '../../src/background/features.ts';
import type { Theme } from '../../src/features/preferences/background.ts';
import type { Client } from '../../src/messaging/client/client.ts';
import type { ConnectionState } from '../../src/messaging/client/connection.ts';
import { CallError } from '../../src/messaging/wire/errors.ts';
import type { OutputOf } from '../../src/messaging/define/procedures.ts';

/** Everything that a page can know about its worker. It never changes. */
export interface FixedWorker {
  readonly connection: ConnectionState;
  /** The outcome of each procedure, or the first value of a stream. A procedure that is left out never answers. */
  readonly answers: { readonly [Name in keyof Api]?: OutputOf<Api[Name]> | CallError };
}

/** A worker that is awake and reports nothing unusual. */
export const calmWorker = {
  connection: { status: 'awake' },
  answers: {
    'extension.info': {
      id: 'mchkljbmgdbkpgmjlplcljnfjpinmhda',
      version: manifest.version,
      permissions: manifest.permissions,
      starts: { count: 2, latest: Date.UTC(2026, 0, 9, 9, 41) },
    },
    'preferences.watch': { theme: 'system' },
    'storage.watch': {
      isEmpty: false,
      documents: ['preferences'],
      absent: [],
      readOnly: [],
      unreadable: [],
    },
  },
} as const satisfies FixedWorker;

/** Creates the client of a worker that never changes. If the worker answers with preferences, they have this theme. */
export function createFixedClient({ connection, answers }: FixedWorker, theme: Theme): Client<Api> {
  const preferences = answers['preferences.watch'];
  const hasTheme = preferences !== undefined && !(preferences instanceof CallError);
  const all = { ...answers, ...(hasTheme && { 'preferences.watch': { ...preferences, theme } }) };

  async function ask(name: keyof Api): Promise<unknown> {
    const answer = all[name];
    if (answer instanceof CallError) throw answer;
    return answer === undefined ? new Promise(() => {}) : answer;
  }

  async function* subscribe(name: keyof Api): AsyncGenerator<unknown, void> {
    yield await ask(name);
    await new Promise(() => {});
  }

  const client = {
    query: ask,
    mutate: ask,
    subscribe,
    connection: { state: () => connection, onChange: () => () => {} },
    resume: () => {},
    reconnect: () => {},
  };
  // The compiler cannot check that each answer fits the procedure of its name.
  return client as unknown as Client<Api>;
}
