import { scriptsOf, textOf } from './built-extension.ts';
import type { Gate } from './gates.ts';

const WAYS = [
  ['eval', /(?<![\w$.])eval\s*\(/],
  ['new Function', /\bnew\s+Function\b/],
  ['Function()', /(?<![\w$.]|new\s+)Function\s*\(/],
] as const;

/** Code that is made from text, which the content security policy would stop and every store rejects. */
export const findCodeFromText: Gate = (extension) =>
  scriptsOf(extension).flatMap((path) =>
    WAYS.filter(([, pattern]) => pattern.test(textOf(extension, path))).map(([way]) => `${path} has ${way}.`),
  );
