import type { Fault } from './fault.ts';

const LATEST = 'keeps the latest records only, and says how many a slow watcher missed (M8)';

/** M10: everything can be watched. */
export const recordFaults: readonly Fault[] = [
  {
    breaks: 'keeps every record for ever',
    file: 'create-recorder.ts',
    find: 'ring[count % capacity]',
    replace: 'ring[count]',
    caughtBy: ['records', LATEST],
  },
  {
    breaks: 'hides how many records were dropped',
    file: 'create-recorder.ts',
    find: 'count - seen - records.length',
    replace: '0',
    caughtBy: ['records', LATEST],
  },
  {
    breaks: 'records while it is off',
    file: 'create-recorder.ts',
    find: 'isOn === false',
    replace: 'false',
    caughtBy: ['records', 'records nothing while it is off'],
  },
  {
    breaks: 'keeps what was said',
    file: 'create-recorder.ts',
    find: 'attempts, bytes }',
    replace: 'attempts, bytes, input }',
    caughtBy: ['records', 'tells when, how long and how many bytes, and nothing of what was said'],
  },
  {
    breaks: 'does not count how often a call was sent',
    file: 'create-recorder.ts',
    find: 'duration, attempts,',
    replace: 'duration, attempts: attempts && 1,',
    caughtBy: ['records', 'counts how often a call was sent'],
  },
  {
    breaks: 'takes every end of a call for an abort',
    file: 'create-abort.ts',
    find: 'reason = why;',
    replace: "reason = why && 'ABORTED';",
    caughtBy: ['records', 'tells a deadline from an abort from a page that went'],
  },
  {
    breaks: 'records no call that was refused',
    file: 'create-recorder.ts',
    find: "if (answer.kind !== 'next')",
    replace: "if (answer.kind !== 'next' && answer.kind !== 'error')",
    caughtBy: ['records', 'leaves one record of every call and every stream, whatever it ended in'],
  },
];
