import type { Fault } from './fault.ts';

const DEADLINE = 'ends a call to a mute worker at its deadline, in doubt';

/** M1: every call settles. */
export const settlingFaults: readonly Fault[] = [
  {
    breaks: 'ends no call at its deadline',
    file: 'watch-deadlines.ts',
    find: "giveUp('TIMEOUT')",
    replace: 'void giveUp',
    caughtBy: ['settling', DEADLINE],
  },
  {
    breaks: 'gives calls twice the time unless told',
    file: 'timeout.ts',
    find: 'DEFAULT_TIMEOUT = 10_000',
    replace: 'DEFAULT_TIMEOUT = 20_000',
    caughtBy: ['settling', 'gives a call ten seconds unless told'],
  },
  {
    breaks: 'grants more than ten minutes',
    file: 'timeout.ts',
    find: '10 * 60_000',
    replace: '20 * 60_000',
    caughtBy: ['settling', 'gives nobody more than ten minutes'],
  },
  {
    breaks: 'does not listen to the signal of a caller',
    file: 'start-call.ts',
    find: "signal?.addEventListener('abort', abort);",
    replace: '',
    caughtBy: ['settling', 'ends a call at once when its caller aborts it, and says whether it was sent'],
  },
  {
    breaks: 'says of a call that was sent that it was not',
    file: 'start-call.ts',
    find: "attempt === 0 ? 'not-sent' : 'unknown'",
    replace: "'not-sent'",
    caughtBy: ['settling', DEADLINE],
  },
  {
    breaks: 'goes by the first deadline that it is told',
    file: 'watch-deadlines.ts',
    find: 'deadline >= wakesAt',
    replace: 'wakesAt < Infinity',
    caughtBy: ['settling', 'ends each of several calls at its own deadline'],
  },
  {
    breaks: 'forgets the deadlines behind the first',
    file: 'watch-deadlines.ts',
    find: 'else wakeAt(deadline);',
    replace: '',
    caughtBy: ['settling', 'ends each of several calls at its own deadline'],
  },
  {
    breaks: 'sends no call that waited for the port',
    file: 'create-connection.ts',
    find: 'for (const { transmit } of exchanges.values()) transmit();',
    replace: '',
    caughtBy: ['settling', 'answers a call with the value of its handler'],
  },
  {
    breaks: 'lets the calls of an orphaned page wait',
    file: 'create-connection.ts',
    find: "for (const { giveUp } of exchanges.values()) giveUp('UNREACHABLE');",
    replace: '',
    caughtBy: ['settling', 'ends every call of a page that can reach no worker any more'],
  },
  {
    breaks: 'keeps a port on which nothing is ever heard',
    file: 'create-connection.ts',
    find: 'silence = setTimeout(forsake, PATIENCE);',
    replace: '',
    caughtBy: ['settling', 'says that the worker is silent when a call has waited 5 s and nothing was heard'],
  },
  {
    breaks: 'greets nobody',
    file: 'serve-port.ts',
    find: 'if (!hasSpoken) port.post(READY);',
    replace: '',
    caughtBy: ['settling', 'does not take a slow handler for a mute worker'],
  },
  {
    breaks: 'takes a slow handler for a mute worker',
    file: 'create-connection.ts',
    find: '(frame: ServerFrame): void {\n    clearTimeout(silence);',
    replace: '(frame: ServerFrame): void {',
    caughtBy: ['settling', 'does not take a slow handler for a mute worker'],
  },
  {
    breaks: 'tries a crashing worker again without a pause',
    file: 'create-connection.ts',
    find: 'Math.min(10 * 2 ** losses, 2_000)',
    replace: '10',
    caughtBy: ['settling', 'tries a worker that dies at start ever more slowly'],
  },
  {
    breaks: 'takes a greeting for an answer when it counts crashes',
    file: 'create-connection.ts',
    find: "if (frame.kind !== 'ready' && frame.kind !== 'next') losses = 0;",
    // Any more would be a loop without an end.
    replace: 'if (losses > RETRIES_AT_ONCE) losses = 1;',
    caughtBy: [
      'settling',
      'slows down for a worker that greets and dies over a stream, and says that it crashes',
    ],
  },
  {
    breaks: 'takes a stream that goes on for an answer when it counts crashes',
    file: 'create-connection.ts',
    find: " && frame.kind !== 'next') losses = 0;",
    replace: ') losses = Math.min(losses, 1);',
    caughtBy: [
      'settling',
      'slows down for a call that its worker dies of beside a stream that goes on, and says that it crashes',
    ],
  },
  {
    breaks: 'greets a page that may not listen yet',
    file: 'serve-port.ts',
    find: 'let greeting: ReturnType<typeof setTimeout> | undefined;',
    replace: 'let greeting: unknown = setTimeout(() => port.post(READY), GREETING_DELAY);',
    caughtBy: [
      'settling',
      'does not take a slow worker for a mute one whose page listened some time after its port was opened',
    ],
  },
  {
    breaks: 'opens a port for calls that have ended',
    file: 'create-connection.ts',
    find: 'if (tellLost()) open();\n      else losses = 0;',
    replace: 'open();',
    caughtBy: [
      'settling',
      'opens no port for a call that has ended, and does not call a crashing worker asleep',
    ],
  },
  {
    breaks: 'never says that a worker crashes',
    file: 'create-connection.ts',
    find: 'losses >= CRASHES',
    replace: 'losses >= Infinity',
    caughtBy: [
      'settling',
      'ends a call to a worker that dies at start at its deadline, and says that it crashes',
    ],
  },
];
