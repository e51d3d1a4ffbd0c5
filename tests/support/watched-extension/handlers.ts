import type { StateReader } from '../../../src/messaging/server/state.ts';
import type { Handlers } from '../../../src/messaging/server/server.ts';
import { counterHandlers } from '../counter.ts';
import type { watchedContract } from './contract.ts';

const startedAt = Date.now();
const uncaught: string[] = [];
let handled = 0;

addEventListener('error', (event) => uncaught.push(String(event.error)));
addEventListener('unhandledrejection', (event) => uncaught.push(String(event.reason)));

export const watchedHandlers: Handlers<typeof watchedContract> = {
  ...counterHandlers,
  'counter.read': count(counterHandlers['counter.read']),
  'counter.add': count(counterHandlers['counter.add']),
  'counter.watch': count(counterHandlers['counter.watch']),
  'bell.ring': count(counterHandlers['bell.ring']),
  'text.echo': count(counterHandlers['text.echo']),
  'blob.echo': count(counterHandlers['blob.echo']),

  'worker.facts': () => {
    const polluted = Reflect.ownKeys(Object.prototype)
      .map(String)
      .filter((key) => !STANDARD.has(key));
    return { startedAt, handled, uncaught: [...uncaught], polluted };
  },
  'ledger.append': count(async ({ input, state }) => {
    const { entries } = await readLedger(state);
    const appended = [...entries, input];
    state.set('ledger', appended);
    state.set('ledger-size', appended.length);
    return appended.length;
  }),
  'ledger.read': count(({ state }) => readLedger(state)),
};

const STANDARD: ReadonlySet<string> = new Set(Reflect.ownKeys(Object.prototype).map(String));

function count<Context, Result>(handler: (context: Context) => Result): (context: Context) => Result {
  return (context) => {
    handled += 1;
    return handler(context);
  };
}

async function readLedger(state: StateReader): Promise<{ entries: string[]; size: number }> {
  const [entries, size] = [await state.get('ledger'), await state.get('ledger-size')];
  return { entries: (entries ?? []) as string[], size: Number(size ?? 0) };
}
