import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

import { parseSpecGaps } from '../../../src/features/specification/build/parse-spec-gaps.ts';
import { findNext } from '../../../src/features/specification/spec-gaps.ts';
import { gaps, markdown } from '../../../SPEC_GAPS.md';
import * as little from '../../../SPEC_GAPS.md?points';
import manifest from '../../../manifest.json' with { type: 'json' };
import packageJson from '../../../package.json' with { type: 'json' };
import { aboutFeature } from '../../../src/features/about/background.ts';
import { DEFAULT_TIMEOUT } from '../../../src/messaging/deadline.ts';
import { MAX_DEPTH } from '../../../src/messaging/json.ts';
import { withoutAnswers } from './without-answers.ts';

const { gecko } = manifest.browser_specific_settings;
const file = readFileSync('SPEC_GAPS.md', 'utf8');
const choices = file.slice(file.indexOf('\n## Choices'));

it('the modules of SPEC_GAPS.md hold the contents of the file', () => {
  expect([gaps, markdown]).toEqual([parseSpecGaps(file), file]);
  expect(little.next).toEqual(findNext(gaps));
  expect(little.points).toEqual(
    gaps.map(({ id, number, title, answered, total }) => ({ id, number, title, answered, total })),
  );
});

it('SPEC_GAPS.md has the nine titles of the specification', () => {
  expect(gaps.map(({ title }) => title)).toEqual([
    'What the product does and for whom',
    'Screens and routes',
    'Entities and their fields',
    'States and transitions',
    'Validation rules',
    'Roles and permissions',
    'The calls it makes',
    'The error catalogue',
    'Business constants and limits',
  ]);
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

describe('the build fails with the line and what to type for', () => {
  const heading = lineOf('## 2. Screens and routes');
  it.each<[what: string, change: readonly [from: string | RegExp, to: string], problem: string]>([
    [
      'a missing heading',
      [/^### Known\n/mu, ''],
      `${lineOf('### Known') + 4}: There is no "### Known" above this line.\n    Type it there`,
    ],
    [
      'a misspelt heading',
      ['## 2. Screens and routes', '## 2. Screens'],
      `${heading + 2}: There is no "## 2. Screens and routes" above this line.`,
    ],
    [
      'a heading with another mark',
      ['## Choices', '### Choices'],
      'There is no "## Choices" above this line.\n    Type it there, or correct this line.',
    ],
    [
      'a missing last heading',
      [/^## Left out on purpose[^]*/mu, ''],
      'There is no "## Left out on purpose" above this line.',
    ],
    [
      'a heading that is there twice',
      [/$/u, '\n## Choices\n'],
      'There is a second "## Choices".\n    Delete it.',
    ],
    [
      'an empty section',
      [/(### Known\n)\n[^]+?(?=### Q)/u, '$1'],
      `${lineOf('### Known')}: There is no text below this heading.`,
    ],
    [
      'a missing question',
      [/^\*\*1\.7\*\*[^]+?(?=\*\*1\.8)/mu, ''],
      'Here is question 1.8 instead of 1.7.\n    Questions keep',
    ],
    [
      'a missing question of those that come first',
      [/^\*\*1\.2\*\*[^]+?(?=\*\*1\.3)/mu, ''],
      'Question 1.2 does not exist.\n    Restore it',
    ],
    [
      'a question without a role',
      ['**1.1** (owner)', '**1.1**'],
      'Question 1.1 has no known role.\n    Type one of (owner),',
    ],
    [
      'a question without “Answer:”',
      [/^Answer:\n\n\*\*1\.2/mu, '**1.2'],
      'Question 1.1 has no "Answer:".\n    Type it on a new line',
    ],
    [
      'an answer above “Answer:”',
      [/^Answer:$/mu, 'Kiosk\n\nAnswer:'],
      'Question 1.1 does not consist of one paragraph.',
    ],
    [
      'text above the questions',
      [/(### Questions\n)/u, '$1\nKiosk\n'],
      'There is no question directly below this heading.\n    Type a question there, as in **1.1** (owner)',
    ],
    [
      'a question in another section',
      [/(### Known\n)/u, '$1\nKiosk\n\n**1.1** (owner) What?\n\nAnswer:\n'],
      'Question 1.1 is not below "### Questions".',
    ],
    [
      'an answer in the list of the first questions',
      [/(?<=\*\*1\.1\*\* The original product)/u, '\n   It is Kiosk'],
      'This list has only numbers and titles.\n    Type answers below the questions.',
    ],
    [
      'a control character',
      ['shown. Only', 'shown.\u0000 Only'],
      'This line has a control character (U+0000).\n    Delete it.',
    ],
  ])('%s', (_what, [from, to], problem) => {
    const changed = withoutAnswers.replace(from, to);

    expect(changed).not.toBe(withoutAnswers);
    expect(() => parseSpecGaps(changed)).toThrow(problem);
  });
});

/** Returns the number of a line, from 1. */
function lineOf(line: string): number {
  return withoutAnswers.split('\n').indexOf(line) + 1;
}
