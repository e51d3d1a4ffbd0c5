import type { Fault } from './fault.ts';

const AFTER_COMMIT = 'lets a mutation take effect once when the worker dies after-commit';
const PRUNED = 'removes the slots of pages long gone, and those from the future, but no others';

/** M3: the worker may die at any instant. */
export const deathFaults: readonly Fault[] = [
  {
    breaks: 'runs mutations without the state lock',
    file: 'create-state.ts',
    find: 'transact: (mutation, abort, run) =>\n      underLock(',
    replace:
      'transact: (mutation, abort, run) =>\n      ((work: (held: HeldStore) => Promise<Json>) => work(store))(',
    caughtBy: ['exactly-once', 'lets the mutations of two pages run one after the other'],
  },
  {
    breaks: 'does not look into the journal',
    file: 'create-state.ts',
    find: 'if (slot?.id === mutation.id && slot.name === mutation.name) return slot.outcome;',
    replace: '',
    caughtBy: [
      'worker-death',
      'answers a mutation that is sent again from the journal instead of running it again',
    ],
  },
  {
    breaks: 'does not write the journal',
    file: 'create-state.ts',
    find: ', (value) => slotEntry(mutation, value));',
    replace: ');',
    caughtBy: ['worker-death', AFTER_COMMIT],
  },
  {
    breaks: 'writes state and journal one after the other',
    file: 'create-state.ts',
    find: 'await asOneWrite(held, work, (value) => slotEntry(mutation, value));',
    replace:
      'await asOneWrite(held, work);\n    await asOneWrite(held, async () => null, () => slotEntry(mutation, outcome));',
    caughtBy: ['worker-death', AFTER_COMMIT],
  },
  {
    breaks: 'runs a mutation of a page that has moved on',
    file: 'create-state.ts',
    find: 'slot.id >= mutation.id',
    replace: 'slot.id === Infinity',
    caughtBy: ['exactly-once', 'refuses a mutation that comes after a later one of its page'],
  },
  {
    breaks: 'answers a procedure with the outcome of another',
    file: 'create-state.ts',
    find: ' && slot.name === mutation.name',
    replace: '',
    caughtBy: ['journal', 'answers no procedure with the outcome of another'],
  },
  {
    breaks: 'prunes the journal once in the life of a worker',
    file: 'create-state.ts',
    find: 'Date.now() - prunedAt < SLOT_LIFE',
    replace: 'prunedAt > 0',
    caughtBy: ['journal', 'stays small while one worker lives on'],
  },
  {
    breaks: 'does not make room in a full store',
    file: 'create-state.ts',
    find: '.catch(retry)',
    replace: '',
    caughtBy: ['journal', 'gives way when old slots have filled the store'],
  },
  {
    breaks: 'keeps the lock for good',
    file: 'hold-lock.ts',
    find: 'letGo();\n',
    replace: '\n',
    caughtBy: [
      'hold-lock',
      'lets another worker in 100 ms after the last work, and then reads what that one wrote',
    ],
  },
  {
    breaks: 'goes on with what it knew before it gave the lock away',
    file: 'hold-lock.ts',
    find: 'next = undefined;\n',
    replace: '\n',
    caughtBy: [
      'hold-lock',
      'lets another worker in 100 ms after the last work, and then reads what that one wrote',
    ],
  },
  {
    breaks: 'knows of a write that failed',
    file: 'hold-lock.ts',
    find: 'await store.write(copies);\n      for (const [key, value] of Object.entries(copies)) known.set(key, value);',
    replace:
      'for (const [key, value] of Object.entries(copies)) known.set(key, value);\n      await store.write(copies);',
    caughtBy: ['hold-lock', 'knows nothing of a write that failed'],
  },
  {
    breaks: 'hands out what it knows instead of copies',
    file: 'hold-lock.ts',
    find: 'return copyJson(known.get(key));',
    replace: 'return known.get(key);',
    caughtBy: ['hold-lock', 'reads what was written under it, as a copy'],
  },
  {
    breaks: 'knows what became of a value on its way to the disk',
    file: 'hold-lock.ts',
    find: 'const copies = copyJson(entries);',
    replace: 'const copies = entries;',
    caughtBy: [
      'hold-lock',
      'knows what it has written, and not what became of that value on the way to the disk',
    ],
  },
  {
    breaks: 'takes what was read before a write for what was written',
    file: 'hold-lock.ts',
    find: 'if (!known.has(key)) known.set(key, value);',
    replace: 'known.set(key, value);',
    caughtBy: ['hold-lock', 'does not take what was read before a write for what was written'],
  },
  {
    breaks: 'says that nothing was changed by a mutation that may be written',
    file: 'start-call.ts',
    find: "kind === 'mutation' && attempt > 1 &&",
    replace: 'attempt > Infinity &&',
    caughtBy: ['worker-death', 'does not say of a mutation that may be written that nothing was changed'],
  },
  {
    breaks: 'sends a mutation again whose slot may be gone with the clock',
    file: 'start-call.ts',
    find: 'Math.abs(Date.now() - startedAt)',
    replace: '(Date.now() - startedAt)',
    caughtBy: [
      'worker-death',
      'sends nothing again when the clock was set back, by which its slot may be gone',
    ],
  },
  {
    breaks: 'names a mutation anew when it is sent again',
    file: 'start-call.ts',
    find: 'page: link.page',
    replace: 'page: crypto.randomUUID()',
    caughtBy: ['worker-death', AFTER_COMMIT],
  },
  {
    breaks: 'keeps the slots of pages long gone',
    file: 'journal.ts',
    find: 'Math.abs(now - value.at) < SLOT_LIFE',
    replace: 'value.at > 0',
    caughtBy: ['worker-death', PRUNED],
  },
  {
    breaks: 'removes slots that a page may still need',
    file: 'journal.ts',
    find: '60 * 60 * 1000',
    replace: '30 * 60 * 1000',
    caughtBy: ['worker-death', PRUNED],
  },
  {
    breaks: 'removes state that is no slot',
    file: 'journal.ts',
    find: 'key.startsWith(PREFIX) && ',
    replace: '',
    caughtBy: ['worker-death', PRUNED],
  },
  {
    breaks: 'never prunes the journal',
    file: 'create-state.ts',
    find: 'tidy();\n        return outcome;',
    replace: 'return outcome;',
    caughtBy: ['worker-death', PRUNED],
  },
  {
    breaks: 'sends a mutation with an external effect twice',
    file: 'create-client.ts',
    find: "effect !== 'external'",
    replace: 'effect !== undefined',
    caughtBy: ['external-effect', 'is never sent twice, and ends in doubt when the worker dies over it'],
  },
  {
    breaks: 'does not ask a query again',
    file: 'create-client.ts',
    find: 'isRepeatable: true',
    replace: 'isRepeatable: false',
    caughtBy: ['worker-death', 'asks a query again that was waiting when the worker died'],
  },
  {
    breaks: 'opens no new port for a call that waits',
    file: 'create-connection.ts',
    find: 'if (isNeeded) reopen();',
    replace: 'if (isNeeded) losses = 0;',
    caughtBy: ['worker-death', 'lets a mutation take effect once when the worker dies in-lock'],
  },
];
