import { existsSync, readFileSync } from 'node:fs';

import { describe, expect, it } from 'vitest';

import { parseSpecGaps } from '../../../scripts/spec-gaps/parse-spec-gaps.ts';
import { choices, gaps, leftOut, markdown } from '../../../SPEC_GAPS.md';
import { points } from '../../../SPEC_GAPS.md?points';
import manifest from '../../../manifest.json' with { type: 'json' };
import packageJson from '../../../package.json' with { type: 'json' };
import { contract } from '../../../src/contract/contract.ts';
import { addProgress } from '../../../src/contract/spec-gaps.ts';
import type { Inline, Paragraph } from '../../../src/contract/spec-gaps.ts';
import { MAX_DEPTH } from '../../../src/messaging/json.ts';
import { DEFAULT_TIMEOUT } from '../../../src/messaging/wire.ts';

const top = new URL('../../../', import.meta.url);
const questions = gaps.flatMap((gap) => gap.questions);
const choiceTexts = choices.map(({ text }) => plain(text));

describe('SPEC_GAPS.md', () => {
  it('is what its modules hold', () => {
    const parsed = parseSpecGaps(read('SPEC_GAPS.md'), (path) => existsSync(new URL(path, top)));

    expect({ gaps, choices, leftOut }).toEqual(parsed);
    expect(markdown).toBe(read('SPEC_GAPS.md'));
    expect(points.map(({ total }) => total)).toEqual(gaps.map((gap) => gap.questions.length));
    expect(addProgress(points)).toEqual({
      answered: questions.filter(({ answer }) => answer.length > 0).length,
      total: questions.length,
    });
  });

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

  it('asks questions only, and marks a handful to start with', () => {
    const texts = questions.map(({ text }) => plain(text));
    const starts = questions.filter(({ isStart }) => isStart);

    expect(texts.filter((text) => !text.endsWith('?'))).toEqual([]);
    expect(starts.length).toBeGreaterThan(2);
    expect(starts.length).toBeLessThan(10);
  });

  it('asks and names nothing twice', () => {
    const texts = [
      ...questions.map(({ text }) => plain(text)),
      ...gaps.flatMap((gap) => gap.places.map(({ path }) => `${gap.id}: ${path}`)),
      ...choices.map(({ name }) => name),
      ...leftOut.map(plain),
    ];

    expect(texts.filter((text, index) => texts.indexOf(text) !== index)).toEqual([]);
  });

  it.each(
    choices
      .flatMap(({ name, places }) => places.map((place) => ({ name, ...place })))
      .filter(({ path }) => !path.endsWith('/')),
  )('changes $name by what stands in $path', ({ path, text }) => {
    const keys = text.flatMap(codeOf);

    const file = read(path);

    expect(keys.filter((key) => !file.includes(key))).toEqual([]);
  });

  it('states the browser versions and the identity of the manifest', () => {
    const { strict_min_version: firefox, id } = manifest.browser_specific_settings.gecko;

    expect(choiceTexts).toContainEqual(
      expect.stringContaining(`Chromium ${manifest.minimum_chrome_version} or later`),
    );
    expect(choiceTexts).toContainEqual(expect.stringContaining(`Firefox ${Number(firefox)} or later`));
    expect(choiceTexts).toContainEqual(expect.stringContaining(id));
  });

  it('states the limits that the code has', () => {
    const limits = [
      `${DEFAULT_TIMEOUT / 1_000} seconds`,
      `${contract['extension.info'].maxSize / 1_024 / 1_024} Mi`,
      `${MAX_DEPTH} levels`,
      packageJson.engines.node
        .replaceAll(/[^\d.]+/gu, ' ')
        .trim()
        .split(' ')[0] ?? '',
    ];

    expect(limits.filter((limit) => !choiceTexts.some((text) => text.includes(limit)))).toEqual([]);
  });

  it('is right about what the manifest asks for', () => {
    const policy = manifest.content_security_policy.extension_pages.split('; ');
    const codesOf = (id: string): readonly string[] =>
      gaps.filter((gap) => gap.id === id).flatMap((gap) => gap.forNow.flat().flatMap(codeOf));

    expect(codesOf('roles')).toEqual(manifest.permissions);
    expect(manifest).not.toHaveProperty('host_permissions');
    expect(manifest).not.toHaveProperty('content_scripts');
    expect(manifest).not.toHaveProperty('incognito');
    expect(codesOf('calls')).toEqual(policy.filter((directive) => directive.startsWith('connect-src')));
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
