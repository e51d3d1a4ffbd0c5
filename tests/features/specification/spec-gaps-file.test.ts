import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { parseSpecGaps } from '../../../src/features/specification/build/parse-spec-gaps.ts';
import { summarize } from '../../../src/features/specification/spec-gaps.ts';
import { gaps, markdown } from '../../../SPEC_GAPS.md';
import * as little from '../../../SPEC_GAPS.md?points';
import manifest from '../../../manifest.json' with { type: 'json' };
import packageJson from '../../../package.json' with { type: 'json' };
import { aboutFeature } from '../../../src/features/about/background.ts';
import { DEFAULT_TIMEOUT } from '../../../src/messaging/wire/waiting.ts';
import { MAX_DEPTH } from '../../../src/messaging/wire/json.ts';
import { withoutAnswers } from './without-answers.ts';

const { gecko } = manifest.browser_specific_settings;
const file = readFileSync('SPEC_GAPS.md', 'utf8');
const choices = file.slice(file.indexOf('\n## Choices'));

it('the modules of SPEC_GAPS.md hold the contents of the file', () => {
  expect([gaps, markdown]).toEqual([parseSpecGaps(file), file]);
  expect({ points: little.points, next: little.next }).toEqual(summarize(gaps));
});

it('every place that SPEC_GAPS.md names exists, and has the code that is quoted for it', () => {
  const places = Array.from(
    file.matchAll(/^ *- `([^`]+)`: (.+(?:\n +[^-\s].*)*)$/gmu),
    ([, path = '', text = '']) => ({
      path,
      codes: Array.from(text.matchAll(/`([^`]+)`/gu), ([, code = '']) => code),
    }),
  );
  const wrong = places.filter(
    ({ path, codes }) =>
      !existsSync(path) ||
      (!path.endsWith('/') && codes.some((code) => !readFileSync(path, 'utf8').includes(code))),
  );

  expect(places.length).toBeGreaterThan(20);
  expect(wrong).toEqual([]);
});

it.each([
  `Chromium ${manifest.minimum_chrome_version} or later`,
  `Firefox ${Number(gecko.strict_min_version)} or later`,
  gecko.id,
  `${DEFAULT_TIMEOUT / 1_000} seconds`,
  `${aboutFeature.procedures['extension.info'].maxSize / 1_024 / 1_024} Mi`,
  `${MAX_DEPTH} levels`,
  /[\d.]+/.exec(packageJson.engines.node)?.[0] ?? 'a version of Node',
])('the choices in SPEC_GAPS.md agree with the manifest and the code: %s', (fact) => {
  expect(choices.replaceAll(/\s+/gu, ' ')).toContain(fact);
});

const MALFORMED = ' This question is not well formed. A question has';

it.each<[what: string, change: readonly [from: string | RegExp, to: string], problem: string]>([
  [
    'a missing heading',
    [/^### Known\n/mu, ''],
    `${lineOf('### Known') + 4}: Here is ### Questions instead of ### Known. Type`,
  ],
  ['a heading with another mark', ['## Choices', '### Choices'], '### Choices instead of ## Choices.'],
  [
    'a missing last heading',
    [/^## Left out on purpose[^]*/mu, ''],
    'SPEC_GAPS.md: Here is the end of the file instead of ## Left out on purpose.',
  ],
  ['a second heading', [/$/u, '\n## Choices\n'], ' Here is ## Choices instead of the end of the file.'],
  ['text above the first heading', [/^/u, 'Kiosk\n'], ':1: Here is a text instead of # Specification gaps.'],
  ['a missing question', [/^\*\*1\.7\*\*[^]+?(?=\*\*1\.8)/mu, ''], 'question 1.8 instead of question 1.7.'],
  ['no question', [/^\*\*9\.1\*\*[^]+?(?=### For)/mu, ''], ' Here is ### For now instead of question 9.1.'],
  [
    'a question in another section',
    [/(### Known\n)/u, '$1\nKiosk\n\n**1.1** (owner) What?\n\nAnswer:\n'],
    ' Here is question 1.1 instead of ### Questions.',
  ],
  ['a question without a role', ['**1.1** (owner)', '**1.1**'], MALFORMED],
  ['a question without “Answer:”', [/^Answer:\n\n\*\*1\.2/mu, '**1.2'], MALFORMED],
  ['an answer above “Answer:”', [/^Answer:$/mu, 'Kiosk\n\nAnswer:'], MALFORMED],
  ['text above the questions', [/(### Questions\n)/u, '$1\nKiosk\n'], ' Below this heading is a text'],
  [
    'an answer in the list of the first questions',
    [/(?<=\*\*1\.1\*\* The original product)/u, '\n   It is Kiosk'],
    `${lineOf('1. **1.1** The original product') + 1}: This line does not name a question. Type it like this: 1.`,
  ],
  ['an unknown question in that list', ['1. **1.1** The', '1. **1.99** The'], 'does not name a question.'],
])('the build fails with the line and what to do for %s', (_what, [from, to], problem) => {
  const changed = withoutAnswers.replace(from, to);

  expect(changed).not.toBe(withoutAnswers);
  expect(() => parseSpecGaps(changed)).toThrow(problem);
});

/** Returns the number of a line, from 1. */
function lineOf(line: string): number {
  return withoutAnswers.split('\n').indexOf(line) + 1;
}
