import type { Fault } from './fault.ts';

/** M4: an idle page lets the worker sleep. */
export const sleepFaults: readonly Fault[] = [
  {
    breaks: 'wakes the worker for a subscription that rests',
    file: 'open-stream.ts',
    find: 'lose: () => !hasStarted',
    replace: 'lose: () => true',
    caughtBy: ['worker-death', 'does not open the port again for a subscription alone'],
  },
  {
    breaks: 'forgets a subscription that has not begun',
    file: 'open-stream.ts',
    find: 'lose: () => !hasStarted',
    replace: 'lose: () => false',
    caughtBy: ['worker-death', 'opens the port again for a subscription that has not begun'],
  },
  {
    breaks: 'resumes nothing when the worker wakes',
    file: 'create-connection.ts',
    find: 'if (exchanges.size > 0) open();',
    replace: '',
    caughtBy: [
      'worker-death',
      'resumes a subscription with a fresh value when the page is told that the worker woke',
    ],
  },
  {
    breaks: 'wakes the worker for a page that waits for nothing',
    file: 'create-connection.ts',
    find: 'exchanges.size > 0',
    replace: 'exchanges.size >= 0',
    caughtBy: ['streams', 'does not wake the worker for nothing'],
  },
];
