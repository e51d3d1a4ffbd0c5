import type { Fault } from './fault.ts';

/** The state behind the handlers, where M3 does not speak of it. */
export const stateFaults: readonly Fault[] = [
  {
    breaks: 'stores what became of a value after it was set',
    file: 'create-state.ts',
    find: 'staged.set(key, copyJson(value));',
    replace: 'staged.set(key, value);',
    caughtBy: ['state', 'stores a value as it was when it was set, and hands out copies of it'],
  },
  {
    breaks: 'takes a lock that cannot be had for a mistake of its own',
    file: 'create-state.ts',
    find: "store.lock(work).catch(refuse('NOT_READ'))",
    replace: 'store.lock(work)',
    caughtBy: ['state', 'ends in NOT_READ when the lock cannot be had, with the reason as cause'],
  },
  {
    breaks: 'does not prepare',
    file: 'serve.ts',
    find: 'if (prepare !== undefined) state',
    replace: 'if (prepare === undefined) state',
    caughtBy: ['prepare', 'is done before its first mutation, which waits for it'],
  },
  {
    breaks: 'prepares without the lock',
    file: 'create-state.ts',
    find: 'prepare: (run) => underLock((held) => asOneWrite(held, run)),',
    replace: 'prepare: (run) => asOneWrite(store, run),',
    caughtBy: ['prepare', 'is done before its first mutation, which waits for it'],
  },
  {
    breaks: 'tells nobody what was prepared',
    file: 'create-state.ts',
    find: 'for (const key of staged.keys()) changes.dispatchEvent(new Event(key));',
    replace: '',
    caughtBy: ['prepare', 'is told to who watches'],
  },
  {
    breaks: 'takes a store that cannot be read for a mistake of its own',
    file: 'create-state.ts',
    find: "store.read(key).catch(refuse('NOT_READ'))",
    replace: 'store.read(key)',
    caughtBy: [
      'prepare',
      'ends queries, mutations and subscriptions in NOT_READ, and the cause goes to the log',
    ],
  },
];
