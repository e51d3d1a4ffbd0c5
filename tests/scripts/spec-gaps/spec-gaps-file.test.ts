import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { parseSpecGaps } from '../../../scripts/spec-gaps/parse-spec-gaps.ts';
import { specGapsParts } from '../../../scripts/spec-gaps/spec-gaps-plugin.ts';
import * as imported from '../../../SPEC_GAPS.md';
import manifest from '../../../manifest.json' with { type: 'json' };
import { contract } from '../../../src/contract/contract.ts';
import type { Inline, Paragraph } from '../../../src/contract/spec-gaps.ts';
import { DEFAULT_TIMEOUT } from '../../../src/messaging/wire.ts';

const top = new URL('../../../', import.meta.url);
const markdown = read('SPEC_GAPS.md');
const { gaps, choices, leftOut } = parseSpecGaps(markdown);
const places = [...gaps.flatMap((gap) => gap.places), ...choices.map((choice) => choice.place)];

describe('SPEC_GAPS.md', () => {
  it('has the nine titles of the specification in its order', () => {
    const titles = gaps.map(({ number, title }) => `${number}. ${title}`);

    expect(titles).toEqual([
      '1. What the product does and for whom',
      '2. Screens and routes',
      '3. Entities and their fields',
      '4. States and transitions',
      '5. Validation rules',
      '6. Roles and permissions',
      '7. The calls it makes',
      '8. The error catalogue',
      '9. Business constants and limits',
    ]);
  });

  it('asks questions only', () => {
    const questions = gaps.flatMap((gap) => gap.questions).map(plain);

    expect(questions.filter((question) => !question.endsWith('?'))).toEqual([]);
  });

  it('asks and names nothing twice', () => {
    const texts = [
      ...gaps.flatMap((gap) => gap.questions).map(plain),
      ...gaps.flatMap((gap) => gap.places.map(({ path }) => `${gap.id}: ${path}`)),
      ...choices.map(({ name }) => name),
      ...leftOut.map(plain),
    ];

    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  it.each([...new Set(places.map(({ path }) => path))])('sends to %s, which exists', (path) => {
    const isThere = existsSync(new URL(path, top));

    expect(isThere).toBe(true);
  });

  it.each(choices.filter(({ place }) => !place.path.endsWith('/')))(
    'changes $name by what stands in $place.path',
    ({ place }) => {
      const keys = place.text.flatMap(codeOf);

      const file = read(place.path);

      expect(keys.filter((key) => !file.includes(key))).toEqual([]);
    },
  );

  it('states the browser versions and the identity of the manifest', () => {
    const texts = choices.map(({ text }) => plain(text));

    expect(texts).toContainEqual(
      expect.stringContaining(`Chromium ${manifest.minimum_chrome_version} or later`),
    );
    expect(texts).toContainEqual(
      expect.stringContaining(
        `Firefox ${Number(manifest.browser_specific_settings.gecko.strict_min_version)} or later`,
      ),
    );
    expect(texts).toContainEqual(expect.stringContaining(manifest.browser_specific_settings.gecko.id));
  });

  it('states the deadline and the message size of the messaging core', () => {
    const texts = [...choices.map(({ text }) => text), ...gaps.flatMap((gap) => gap.meanwhile)].map(plain);
    const deadline = `${DEFAULT_TIMEOUT / 1_000} seconds`;
    const size = `${contract['extension.info'].maxSize / 1_024 / 1_024} Mi`;

    expect(texts.filter((text) => text.includes(deadline))).toHaveLength(2);
    expect(texts.filter((text) => text.includes(size))).toHaveLength(2);
  });

  it('is right about what the manifest asks for', () => {
    const policy = manifest.content_security_policy.extension_pages.split('; ');
    const meanwhile = (id: string): Inline[] =>
      gaps.filter((gap) => gap.id === id).flatMap((gap) => gap.meanwhile.flat());
    const [permission, ...more] = meanwhile('roles').flatMap(codeOf);

    expect(manifest.permissions).toEqual([permission]);
    expect(more).toEqual([]);
    expect(manifest).not.toHaveProperty('host_permissions');
    expect(manifest).not.toHaveProperty('content_scripts');
    expect(meanwhile('calls').flatMap(codeOf)).toEqual(
      policy.filter((directive) => directive.startsWith('connect-src')),
    );
  });
});

describe('importing SPEC_GAPS.md', () => {
  it('gives what a reader of the file gets', () => {
    const { ...exports } = imported;

    expect(exports).toEqual(specGapsParts({ gaps, choices, leftOut }));
  });
});

function read(path: string): string {
  return readFileSync(new URL(path, top), 'utf8');
}

function plain(paragraph: Paragraph): string {
  return paragraph.map((inline) => (typeof inline === 'string' ? inline : inline.code)).join('');
}

function codeOf(inline: Inline): readonly string[] {
  return typeof inline === 'string' ? [] : [inline.code];
}
