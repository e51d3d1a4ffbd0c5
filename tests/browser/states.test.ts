import { cp, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { AxeResults, RunOptions } from 'axe-core';
import { expect, inject, it } from 'vitest';

import { buildGallery, galleryPage, missingStates } from '../gallery/build-gallery.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The least that there has to be; the rest follows from the types of what is shown. */
const DESIGNED = [
  ...['popup', 'options'].flatMap((page) => [
    `${page}: background connecting`,
    `${page}: background awake`,
    `${page}: background asleep`,
    `${page}: background crashing`,
    `${page}: background silent`,
    `${page}: background unreachable`,
    `${page}: storage read-only`,
    `${page}: storage quarantined`,
  ]),
  'options: nothing recorded yet',
];

it('shows every state that a page can be in, axe finds nothing in any of them, and none logs an error', async () => {
  const folder = await buildGallery(inject('browserName'));
  await addAxe(folder);
  const extension = await launchBuiltExtension(folder);

  const sheet = await extension.open(galleryPage);
  await expect.poll(() => sheet.evaluate(missingStates)).toEqual([]);
  const names = await sheet.evaluate(() =>
    [...document.querySelectorAll('iframe')].map(({ title }) => title),
  );
  // A colour on its way to another is neither.
  await sheet.emulate({ colorScheme: 'light', reducedMotion: true });
  const inLight = await sheet.evaluate(findViolations, {});
  await sheet.emulate({ colorScheme: 'dark' });
  // Only the colours are others.
  const inDark = await sheet.evaluate(findViolations, { runOnly: ['color-contrast'] });
  await sheet.emulate({ forcedColors: true });
  const inForcedColours = await sheet.evaluate(findViolations, { runOnly: ['color-contrast'] });
  const tooHigh = await sheet.evaluate(() =>
    [...document.querySelectorAll('iframe')]
      .filter(({ title, offsetHeight }) => title.startsWith('popup: ') && offsetHeight > 600)
      .map(({ title, offsetHeight }) => `${title}: ${offsetHeight} px`),
  );

  expect(names).toEqual(expect.arrayContaining(DESIGNED));
  expect(tooHigh).toEqual([]);
  expect(inLight).toEqual([]);
  expect(inDark).toEqual([]);
  expect(inForcedColours).toEqual([]);
  // Firefox remarks on the timing of pages that load by the dozen, which says nothing of any of them.
  const logged = (await extension.readConsole()).filter(
    ({ text }) => !text.startsWith('Layout was forced before'),
  );
  expect(logged).toEqual([]);
});

/** A driver reaches no frames, so each state brings its own. */
async function addAxe(folder: string): Promise<void> {
  await cp(axe, join(folder, 'axe.js'));
  const page = join(folder, galleryPage);
  const html = await readFile(page, 'utf8');
  await writeFile(page, html.replace('</head>', '<script src="/axe.js"></script></head>'));
}

interface Frame {
  readonly axe: { run(options: RunOptions): Promise<AxeResults> };
}

async function findViolations(options: RunOptions): Promise<string[]> {
  const found: string[] = [];
  for (const { contentWindow, title } of document.querySelectorAll('iframe')) {
    const { axe: here } = contentWindow as unknown as Frame;
    const { violations } = await here.run(options);
    found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${title}: ${id} ${html}`)));
  }
  return found;
}
