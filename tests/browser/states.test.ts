import { expect, inject, it } from 'vitest';

import { buildGallery, galleryPage, missingStates } from '../gallery/build-gallery.ts';
import { nameHelper } from '../../scripts/browsers/running-extension.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { axeSource, findLayoutFaults, runAxe } from '../support/inspect-page.ts';

it('shows every state that a page can be in, and each can be read, pressed and used, without an error', async () => {
  const extension = await launchBuiltExtension(
    await copyBuiltExtension(
      {
        'inspect.js': `${axeSource}; ${nameHelper}
          ${[runAxe, findLayoutFaults].map(String).join('\n')}
          Object.assign(globalThis, { runAxe, findLayoutFaults });`,
        // A driver reaches no frames, so each state brings its own.
        [galleryPage]: (html) => html.replace('</head>', '<script src="/inspect.js"></script></head>'),
      },
      await buildGallery(inject('browserName')),
    ),
  );

  const sheet = await extension.open(galleryPage);
  await expect.poll(() => sheet.evaluate(missingStates)).toEqual([]);
  const tooHigh = await sheet.evaluate(() =>
    [...document.querySelectorAll('iframe')]
      .filter(({ title, offsetHeight }) => title.startsWith('popup: ') && offsetHeight > 600)
      .map(({ title, offsetHeight }) => `${title}: ${offsetHeight} px`),
  );
  // A colour on its way to another is neither.
  await sheet.emulate({ colorScheme: 'light', reducedMotion: true });
  const inLight = await sheet.evaluate(auditStates);
  // Only the colours are others.
  await sheet.emulate({ colorScheme: 'dark' });
  const inDark = await sheet.evaluate(auditStates, ['color-contrast']);
  await sheet.evaluate(() => {
    for (const frame of document.querySelectorAll('iframe')) {
      frame.width = '320';
      frame.contentDocument?.documentElement.setAttribute('dir', 'rtl');
    }
  });
  const inNarrowPages = await sheet.evaluate(auditStates, ['target-size']);

  expect({ tooHigh, inLight, inDark, inNarrowPages }).toEqual({
    tooHigh: [],
    inLight: [],
    inDark: [],
    inNarrowPages: [],
  });
  // Firefox remarks on the timing of pages that load by the dozen, which says nothing of any of them.
  const logged = (await extension.readConsole()).filter(
    ({ text }) => !text.startsWith('Layout was forced before'),
  );
  expect(logged).toEqual([]);
});

interface Frame {
  readonly runAxe: typeof runAxe;
  readonly findLayoutFaults: typeof findLayoutFaults;
}

/** What is wrong in each state, by these rules of axe or by all of them, and what cannot be read. */
async function auditStates(rules?: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const { contentWindow, title } of document.querySelectorAll('iframe')) {
    const frame = contentWindow as unknown as Frame;
    const faults = [...(await frame.runAxe(rules)), ...frame.findLayoutFaults()];
    found.push(...faults.map((fault) => `${title}: ${fault}`));
  }
  return found;
}
