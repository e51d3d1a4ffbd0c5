import { readFileSync } from 'node:fs';

import { expect, it } from 'vitest';

import manifest from '../../manifest.json' with { type: 'json' };
import project from '../../package.json' with { type: 'json' };
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };

const document = readFileSync('docs/release.md', 'utf8');

it('is of one version, which the manifest and the package both have', () => {
  expect(manifest.version).toBe(project.version);
});

it('gives the stores the name and the summary that the package has, no longer than they take', () => {
  const name = messages.extension_name.message;
  const summary = messages.extension_description.message;

  expect(document).toContain(`| Name | ${name} |`);
  expect(document).toContain(`| Summary | ${summary} |`);
  expect(name.length).toBeLessThanOrEqual(45);
  expect(summary.length).toBeLessThanOrEqual(132);
});

it('gives them a description as long as Edge wants it', () => {
  const description = [...document.matchAll(/^> ?(.*)$/gm)].map(([, line]) => line).join(' ');

  expect(description.length).toBeGreaterThanOrEqual(250);
  expect(description.length).toBeLessThanOrEqual(10_000);
});
