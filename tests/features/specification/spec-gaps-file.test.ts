import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

import { parseSpecGaps } from '../../../src/features/specification/build/parse-spec-gaps.ts';
import { choices, gaps, leftOut, markdown, progressByRole, start } from '../../../SPEC_GAPS.md';
import * as little from '../../../SPEC_GAPS.md?points';
import manifest from '../../../manifest.json' with { type: 'json' };
import packageJson from '../../../package.json' with { type: 'json' };
import { aboutFeature } from '../../../src/features/about/background.ts';
import { type Inline, plainText } from '../../../src/features/specification/spec-gaps.ts';
import { DEFAULT_TIMEOUT } from '../../../src/messaging/deadline.ts';
import { MAX_DEPTH } from '../../../src/messaging/json.ts';

const { gecko } = manifest.browser_specific_settings;

it('the modules of SPEC_GAPS.md hold the contents of the file', () => {
  expect({ start, progressByRole, gaps, choices, leftOut }).toEqual(
    parseSpecGaps(read('SPEC_GAPS.md'), existsSync),
  );
  expect(markdown).toBe(read('SPEC_GAPS.md'));
  expect(little.start).toEqual({ answered: start.answered, total: start.total, minutes: start.minutes });
  expect(little.points).toEqual(
    gaps.map(({ id, number, title, answered, total }) => ({ id, number, title, answered, total })),
  );
});

it('the code that SPEC_GAPS.md quotes for the place of a choice is in that file', () => {
  const missing = choices
    .flatMap((choice) => choice.places)
    .filter(({ path }) => !path.endsWith('/'))
    .flatMap(({ path, text }) => text.flatMap(codeOf).map((code) => ({ path, code })))
    .filter(({ path, code }) => !read(path).includes(code));

  expect(missing).toEqual([]);
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
  expect(choices.map(({ text }) => plainText(text))).toContainEqual(expect.stringContaining(fact));
});

it('SPEC_GAPS.md names the permissions and the policy of the manifest, which asks for no websites', () => {
  const policy = manifest.content_security_policy.extension_pages.split('; ');
  const codesOf = (gap: string): readonly string[] =>
    gaps.filter((each) => each.id === gap).flatMap((each) => each.forNow.flat().flatMap(codeOf));

  expect(codesOf('roles')).toEqual(manifest.permissions);
  expect(codesOf('calls')).toEqual(policy.filter((directive) => directive.startsWith('connect-src')));
  for (const key of ['host_permissions', 'content_scripts', 'incognito'])
    expect(manifest).not.toHaveProperty(key);
});

function read(path: string): string {
  return readFileSync(path, 'utf8');
}

function codeOf(inline: Inline): readonly string[] {
  return typeof inline === 'object' && 'code' in inline ? [inline.code] : [];
}
