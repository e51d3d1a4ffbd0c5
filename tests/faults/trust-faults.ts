import type { Fault } from './fault.ts';

const closes = (who: string): [string, string] => ['trust', `closes the port of ${who} before it can ask`];

/** M5: trust by what the browser says. */
export const trustFaults: readonly Fault[] = [
  {
    breaks: 'does not look at the id of the sender',
    file: 'identify-caller.ts',
    find: 'sender?.id !== id || sender.origin',
    replace: 'sender?.origin',
    caughtBy: closes('another extension with our address'),
  },
  {
    breaks: 'does not look at the origin of the sender',
    file: 'identify-caller.ts',
    find: ' || sender.origin !== origin',
    replace: '',
    caughtBy: closes('an opaque origin'),
  },
  {
    breaks: 'trusts a sender without an origin',
    file: 'identify-caller.ts',
    find: 'sender.origin !== origin',
    replace: '(sender.origin ?? origin) !== origin',
    caughtBy: closes('a missing origin'),
  },
  {
    breaks: 'takes a path below another origin for its own',
    file: 'identify-caller.ts',
    find: 'isAt(`${origin}/${page}`, url)',
    replace: 'url.endsWith(`/${page}`)',
    caughtBy: closes('an own path below another origin'),
  },
  {
    breaks: 'compares the beginning of the path only',
    file: 'identify-caller.ts',
    find: " && ['', '?', '#'].includes(address.charAt(page.length))",
    replace: '',
    caughtBy: closes('a longer path'),
  },
  {
    breaks: 'serves whom it does not know',
    file: 'serve.ts',
    find: 'port.disconnect();',
    replace: "servePort(server, port, 'popup');",
    caughtBy: closes('a web page'),
  },
  {
    breaks: 'lets every page call everything',
    file: 'admit-call.ts',
    find: '!procedure.callers.includes(caller)',
    replace: 'false',
    caughtBy: ['trust', 'refuses a caller that the procedure does not list, before its input is looked at'],
  },
  {
    breaks: 'looks at the input before the caller',
    file: 'run-call.ts',
    find: 'procedure = admitCall(contract, caller, frame);',
    replace:
      'await readInput(contract[name] as Procedure, frame.input);\n    procedure = admitCall(contract, caller, frame);',
    caughtBy: ['trust', 'refuses a caller that the procedure does not list, before its input is looked at'],
  },
];
