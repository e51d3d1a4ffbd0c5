import type { Fault } from './fault.ts';

/** M2: deadline and abort reach the handler. */
export const deadlineFaults: readonly Fault[] = [
  {
    breaks: 'knows no deadline in the worker',
    file: 'serve-port.ts',
    find: 'Math.min(frame.timeout, MAX_TIMEOUT)',
    replace: 'MAX_TIMEOUT',
    caughtBy: ['deadline', 'ends a mutation of a closed page at its deadline, so that others get their turn'],
  },
  {
    breaks: 'does not tell the worker that a caller gave up',
    file: 'start-call.ts',
    find: "link.post({ kind: 'abort', id, reason: code })",
    replace: 'void code',
    caughtBy: ['deadline', 'aborts the signal of a query when its caller aborts'],
  },
  {
    breaks: 'passes over the abort of a caller',
    file: 'serve-port.ts',
    find: 'call?.giveUp(frame.reason)',
    replace: 'return',
    caughtBy: ['deadline', 'aborts the signal of a query when its caller aborts'],
  },
  {
    breaks: 'lets the queries of a closed page run on',
    file: 'serve-port.ts',
    find: "kind !== 'mutation'",
    replace: 'false',
    caughtBy: ['deadline', 'aborts the signal of a query when its page is closed'],
  },
  {
    breaks: 'aborts the mutation of a page that is closed',
    file: 'serve-port.ts',
    find: "kind !== 'mutation'",
    replace: 'true',
    caughtBy: ['deadline', 'lets a mutation finish when its page is closed'],
  },
  {
    breaks: 'waits in the state lock for a handler that hangs',
    file: 'create-state.ts',
    find: 'abort.race(() => run(transaction))',
    replace: 'run(transaction)',
    caughtBy: ['deadline', 'does not let a mutation that hangs hold up the next one beyond its deadline'],
  },
  {
    breaks: 'aborts no signal',
    file: 'create-abort.ts',
    find: 'controller?.abort();',
    replace: '',
    caughtBy: ['deadline', 'aborts the signal of a query at its deadline'],
  },
  {
    breaks: 'hands a fresh signal to a handler that looks late',
    file: 'create-abort.ts',
    find: 'if (reason !== undefined) controller.abort();',
    replace: '',
    caughtBy: ['deadline', 'shows an abort to a handler that looks at its signal only later'],
  },
  {
    breaks: 'does not stop the generator of a stream that has ended',
    file: 'pace-stream.ts',
    find: '} finally {\n    stop();',
    replace: '} finally {',
    caughtBy: ['streams', 'stop their handler when it yields what breaks the contract'],
  },
  {
    breaks: 'does not tell the worker that a loop was left',
    file: 'open-stream.ts',
    find: "link.post({ kind: 'abort', id, reason: 'ABORTED' });",
    replace: '',
    caughtBy: ['deadline', 'runs the `finally` of a generator whose consumer leaves the loop'],
  },
];
