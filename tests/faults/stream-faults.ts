import type { Fault } from './fault.ts';

const FORTH_AND_BACK =
  'goes from idle over connecting to awake, and to asleep when the worker stops while nothing waits';

/** M8 and M9: backpressure, and the states of the connection. */
export const streamFaults: readonly Fault[] = [
  {
    breaks: 'lets a producer run ahead of its consumer',
    file: 'pace-stream.ts',
    find: 'await abort.race(pulled);',
    replace: '',
    caughtBy: ['streams', 'run the handler only as far as the consumer takes values (M8)'],
  },
  {
    breaks: 'asks for no second value',
    file: 'open-stream.ts',
    find: "link.post({ kind: 'pull', id })",
    replace: 'void 0',
    caughtBy: ['streams', 'end when their handler ends'],
  },
  {
    breaks: 'forgets a change that comes while nobody waits',
    file: 'follow-changes.ts',
    find: 'hasChanged = true;\n    wake();',
    replace: 'wake();',
    caughtBy: ['streams', 'show a slow consumer the latest value, not every one before it (M8)'],
  },
  {
    breaks: 'looks again at what it has seen',
    file: 'follow-changes.ts',
    find: 'hasChanged = false;\n        yield await look();',
    replace: 'yield await look();\n        hasChanged = false;',
    caughtBy: ['follow-changes', 'takes several changes between two looks for one'],
  },
  {
    breaks: 'tells nobody that state has changed',
    file: 'create-state.ts',
    find: 'changes.dispatchEvent(new Event(key));',
    replace: 'void key;',
    caughtBy: ['streams', 'yield the value now and after every change, in every open page'],
  },
  {
    breaks: 'keeps a dead port after the back/forward cache',
    file: 'create-connection.ts',
    find: 'if (port !== undefined) lose();',
    replace: '',
    caughtBy: ['streams', 'has its calls answered and its subscriptions resumed'],
  },
  {
    breaks: 'never says that the worker sleeps',
    file: 'create-connection.ts',
    find: "become({ status: 'asleep' })",
    replace: 'void 0',
    caughtBy: ['streams', FORTH_AND_BACK],
  },
  {
    breaks: 'goes on telling those who have stopped listening',
    file: 'create-connection.ts',
    find: "return () => changes.removeEventListener('change', listener);",
    replace: 'return () => {};',
    caughtBy: ['streams', 'tells nobody who has stopped listening'],
  },
];
