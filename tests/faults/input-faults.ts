import type { Fault } from './fault.ts';

const answers = (what: string, code: string): [string, string] => [
  'input',
  `answers ${what} that gets past the page with ${code}`,
];
const refuses = (what: string): [string, string] => [
  'measure-json',
  `refuses ${what} and says where it stands`,
];
const BROKEN_OUTPUT = 'reports an output that breaks the contract as its own failure, and writes nothing';

/** M6: input and output are validated. */
export const inputFaults: readonly Fault[] = [
  {
    breaks: 'sends what became of an input after the call',
    file: 'create-client.ts',
    find: 'return copyJson(input as Json | undefined);',
    replace: 'return input as Json | undefined;',
    caughtBy: ['input', 'sends over the json wire what it was given when it was called'],
  },
  {
    breaks: 'loses an answer that no clone takes',
    file: 'read-output.ts',
    find: 'return copyJson(result.value as Json);',
    replace: 'return result.value as Json;',
    caughtBy: ['input', 'answers with what a handler has returned, whatever stands for it'],
  },
  {
    breaks: 'loses frames that are too large together',
    file: 'batch-frames.ts',
    find: 'frames.length === 1 || !port.post(frames)',
    replace: 'frames.length === 1 || (port.post(frames), false)',
    caughtBy: ['batches', 'or frame by frame when it is more than the wire takes at once'],
  },
  {
    breaks: 'does not compare the kind of a call with the contract',
    file: 'admit-call.ts',
    find: 'procedure?.kind !== kind',
    replace: 'procedure === undefined',
    caughtBy: answers('a procedure of another kind', 'UNKNOWN_PROCEDURE'),
  },
  {
    breaks: 'hands unvalidated input to handlers',
    file: 'read-input.ts',
    find: 'if (result.issues !== undefined)',
    replace: 'if (Math.random() > 1)',
    caughtBy: ['input', 'refuses an input that does not fit the schema, says where, and changes nothing'],
  },
  {
    breaks: 'takes input where none is expected',
    file: 'read-input.ts',
    find: 'if (input === undefined) return',
    replace: 'return',
    caughtBy: answers('an input where none is expected', 'INVALID_INPUT'),
  },
  {
    breaks: 'measures no input in the worker',
    file: 'read-input.ts',
    find: 'if (fault !== undefined) throw new Refusal(fault);',
    replace: '',
    caughtBy: answers('an input over the limit', 'TOO_LARGE'),
  },
  {
    breaks: 'measures no input in the page',
    file: 'create-client.ts',
    find: 'if (fault !== undefined) throw',
    replace: 'if (Math.random() > 1) throw',
    caughtBy: ['input', 'refuses an input over the limit before it is sent, counted in bytes'],
  },
  {
    breaks: 'counts characters instead of bytes',
    file: 'measure-json.ts',
    find: '(encoder ??= new TextEncoder()).encode(part).length',
    replace: 'part.length',
    caughtBy: ['measure-json', 'counts texts and keys in bytes of UTF-8, however long they are'],
  },
  {
    breaks: 'takes NaN and Infinity for JSON',
    file: 'measure-json.ts',
    find: 'Number.isFinite(part)',
    replace: "typeof part === 'number'",
    caughtBy: refuses('NaN'),
  },
  {
    breaks: 'lets a key through that reaches the prototype',
    file: 'measure-json.ts',
    find: "key === '__proto__'",
    replace: "key === ''",
    caughtBy: answers('a key that reaches the prototype', 'NOT_JSON'),
  },
  {
    breaks: 'follows any depth',
    file: 'measure-json.ts',
    find: 'MAX_DEPTH = 100',
    replace: 'MAX_DEPTH = 1_000',
    caughtBy: refuses('101 levels'),
  },
  {
    breaks: 'lets lone surrogates through',
    file: 'measure-json.ts',
    find: 'part.isWellFormed()',
    replace: 'part.length >= 0',
    caughtBy: refuses('a lone surrogate'),
  },
  {
    breaks: 'takes dates and maps for JSON',
    file: 'measure-json.ts',
    find: 'prototype !== null && Object',
    replace: 'prototype === undefined && Object',
    caughtBy: refuses('a date'),
  },
  {
    breaks: 'validates the output after it was written',
    file: 'run-call.ts',
    find: 'await transact(frame, abort, async (transaction) => read(await run(transaction)))',
    replace: 'await read(await transact(frame, abort, (async (state: unknown) => run(state)) as never))',
    caughtBy: ['input', BROKEN_OUTPUT],
  },
  {
    breaks: 'measures no output',
    file: 'read-output.ts',
    find: 'findFault(result.value, maxBytes)',
    replace: 'undefined',
    caughtBy: ['frames', 'reports an output over the limit as its own failure'],
  },
  {
    breaks: 'runs a call again whose frame arrives twice',
    file: 'serve-port.ts',
    find: 'else if (call === undefined) void run(frame);',
    replace: 'else void run(frame);',
    caughtBy: ['frames', 'passes over a call whose number is that of a running one'],
  },
  {
    breaks: 'takes mutations that name no page',
    file: 'frame.ts',
    find: ' && isText(page)',
    replace: '',
    caughtBy: ['frames', 'passes over a mutation without a page'],
  },
  {
    breaks: 'takes any number for the number of a call',
    file: 'frame.ts',
    find: 'Number.isSafeInteger(value) && Number(value) > 0',
    replace: "typeof value === 'number'",
    caughtBy: ['frames', 'passes over a call numbered -1'],
  },
  {
    breaks: 'takes names of any length',
    file: 'frame.ts',
    find: 'value.length <= MAX_TEXT',
    replace: 'value.length <= Infinity',
    caughtBy: ['frames', 'passes over a name of 101 characters'],
  },
];
