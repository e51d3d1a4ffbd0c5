import { expect, inject, it } from 'vitest';

import { nameHelper } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { views } from '../../src/options/views.tsx';
import { buildGallery, galleryPage, missingStates } from '../gallery/build-gallery.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { axeSource, findLayoutFaults, findViolations, runAxe } from '../support/inspect-page.ts';

/**
 * Widths of the pages in CSS px, in addition to the usual 360 and 1,000 and, from right to left, 320: of the popup as narrow as
 * Firefox makes it in its menu, at its break, and as wide as a browser shows one; of the options page as if zoomed to 200 %.
 */
const WIDTHS = { popup: [200, 287, 288, 540, 800], options: [640] };

it.each(inject('isSoak') ? ['english', 'doubled', 'mirrored'] : ['english'])(
  'every state that a page can be in can be read, pressed and used, its text %s, without an error',
  async (text) => {
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
    const sheet = await extension.open(`${galleryPage}?text=${text}`);
    await expect.poll(() => sheet.evaluate(missingStates)).toEqual([]);
    const found: string[] = [];
    const audit = async (look: string, page: string, rules?: readonly string[]): Promise<void> => {
      const faults = await sheet.evaluate(auditStates, page, rules);
      found.push(...faults.map((fault) => `${look}: ${fault}`));
    };

    // A colour on its way to another is neither.
    await sheet.emulate({ colorScheme: 'light', reducedMotion: true });
    await audit('light', '');
    // Only the colours are others.
    await sheet.emulate({ colorScheme: 'dark' });
    await audit('dark', '', ['color-contrast']);
    for (const [page, widths] of Object.entries(WIDTHS)) {
      for (const width of widths) {
        await sheet.evaluate(resizeStates, page, width);
        await audit(`${width} px`, page, ['target-size']);
      }
    }
    await sheet.evaluate(resizeStates, '', 320, 'rtl');
    await audit('from right to left', '', ['target-size']);

    expect(found).toEqual([]);
    // Firefox remarks on the timing of pages that load by the dozen, which says nothing of any of them.
    const logged = await extension.readConsole();
    expect(logged.filter((entry) => !entry.text.startsWith('Layout was forced before'))).toEqual([]);
  },
);

it('the real pages can be read, pressed and used, light, dark and with forced colours', async () => {
  const extension = await launchBuiltExtension();

  for (const page of [await extension.open(pages.options), await extension.openPopup()]) {
    await page.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
    for (const look of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { forcedColors: true }] as const) {
      // A colour on its way to another is neither.
      await page.emulate({ ...look, reducedMotion: true });
      expect(await findViolations(page), JSON.stringify(look)).toEqual([]);
    }
    expect(await page.evaluate(findLayoutFaults)).toEqual([]);
  }
  expect(await extension.readConsole()).toEqual([]);
});

it.each(views.map(({ name }) => name))(
  'shows on the first screen at 400 % what %s is about',
  async (name) => {
    const extension = await launchBuiltExtension();
    const page = await extension.open(`${pages.options}#/${name}`);
    // 1,280 by 1,024 px.
    await page.emulate({ viewport: { width: 320, height: 256 } });

    const bottom = await page.waitFor(() => {
      const below = document.querySelector('h1')?.parentElement?.nextElementSibling;
      if (!below?.textContent) return undefined;
      const text = document.createTreeWalker(below, NodeFilter.SHOW_TEXT).nextNode();
      const range = document.createRange();
      range.selectNodeContents(text ?? below);
      // The first line of it.
      return range.getClientRects()[0]?.bottom;
    });

    expect(bottom).toBeLessThan(256);
    expect(await page.evaluate(() => scrollY)).toBe(0);
  },
);

/** Gives the states of a page, by the beginning of their names, another width and, if there is one, direction. */
function resizeStates(page: string, width: number, direction?: string): void {
  for (const frame of document.querySelectorAll('iframe')) {
    if (!frame.title.startsWith(page)) continue;
    frame.width = String(width);
    if (direction) frame.contentDocument?.documentElement.setAttribute('dir', direction);
  }
}

/**
 * Faults in each state of a page: violations of these rules of axe or of all, unreadable text, and elements that are too high
 * for a popup.
 */
async function auditStates(page: string, rules?: readonly string[]): Promise<string[]> {
  interface Frame {
    readonly runAxe: typeof runAxe;
    readonly findLayoutFaults: typeof findLayoutFaults;
  }
  const found: string[] = [];
  for (const { contentWindow, title, offsetHeight, offsetWidth } of document.querySelectorAll('iframe')) {
    if (!title.startsWith(page)) continue;
    const frame = contentWindow as unknown as Frame;
    const faults = [...(await frame.runAxe(rules)), ...frame.findLayoutFaults()];
    if (title.startsWith('popup') && offsetWidth === 360 && offsetHeight > 600) faults.push('too high');
    found.push(...faults.map((fault) => `${title}: ${fault}`));
  }
  return found;
}
