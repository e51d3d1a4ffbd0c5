import type { Fault } from './fault.ts';

const hides = (what: string): [string, string] => [
  'errors',
  `hides ${what} behind an incident id and logs it under that id`,
];
const NOT_STORED = 'says that nothing was stored when the store refuses, and keeps the old state';

/** M7: errors are a closed set. */
export const errorFaults: readonly Fault[] = [
  {
    breaks: 'tells the caller what a handler threw',
    file: 'report-failure.ts',
    find: 'incident: log(error) }',
    replace: "incident: log(error), issues: [{ path: '', message: String(error) }] }",
    caughtBy: hides('an error with the secret everywhere'),
  },
  {
    breaks: 'tells the caller the stack of what a handler threw',
    file: 'serve.ts',
    find: 'const incident = crypto.randomUUID();',
    replace: 'const incident = String((error as Error | undefined)?.stack);',
    caughtBy: ['secrets', 'lets no secret out of the worker in 1,000 thrown errors'],
  },
  {
    breaks: 'logs nothing',
    file: 'serve.ts',
    find: 'log(incident, error);',
    replace: '',
    caughtBy: hides('a string'),
  },
  {
    breaks: 'sends the data of a declared error unread',
    file: 'report-failure.ts',
    find: 'if (report.declared === undefined) return report;',
    replace: 'return report;',
    caughtBy: [
      'errors',
      'treats a declared error whose data breaks the contract as a failure of the handler',
    ],
  },
  {
    breaks: 'takes a failed write for a success',
    file: 'create-state.ts',
    find: "refuse('NOT_STORED')",
    replace: '() => {}',
    caughtBy: ['errors', NOT_STORED],
  },
  {
    breaks: 'has no code for a failed write',
    file: 'create-state.ts',
    find: ".catch(refuse('NOT_STORED'))",
    replace: '',
    caughtBy: ['errors', NOT_STORED],
  },
  {
    breaks: 'stages state that is not JSON',
    file: 'create-state.ts',
    find: "if (typeof size !== 'number')",
    replace: 'if (Math.random() > 1)',
    caughtBy: ['errors', 'refuses state that is not JSON and writes nothing'],
  },
  {
    breaks: 'does not say that the worker answered',
    file: 'start-call.ts',
    find: "fail(frame.error, isInDoubt(frame.error.code) ? 'unknown' : 'handled')",
    replace: 'fail(frame.error)',
    caughtBy: ['errors', 'carries a declared error with its data'],
  },
];
