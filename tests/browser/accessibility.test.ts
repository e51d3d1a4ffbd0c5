import { expect, inject, it } from 'vitest';

import { nameHelper, type View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { views } from '../../src/options/views.tsx';
import { buildGallery, galleryPage, missingStates } from '../gallery/build-gallery.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { axeSource, findLayoutFaults, runAxe } from '../support/inspect-page.ts';

type Audit = (look: string, page: string, rules?: readonly string[]) => Promise<void>;

/**
 * Widths of the pages in CSS px, in addition to the usual 360 and 1,000 and, from right to left, 320. The popup has 200 px in
 * Firefox's menu, three points in a row from 312 px on, and at most 800 px. The options page has 640 px at 200 % zoom.
 */
const WIDTHS = { popup: [200, 311, 312, 540, 800], options: [640] };

/** States that differ from others by texts alone. */
const SIMILAR = '^options: background|^popup: background (?!awake|unreachable)';

it.each(inject('size') === 'soak' ? ['english', 'doubled', 'mirrored'] : ['english'])(
  'no state of a page has a violation of axe, a fault of its layout or a message in the console, with %s text',
  async (text) => {
    const extension = await launchBuiltExtension(
      await copyBuiltExtension(
        {
          'inspect.js': `${axeSource}; ${nameHelper}
            ${[runAxe, findLayoutFaults].map(String).join('\n')}
            Object.assign(globalThis, { runAxe, findLayoutFaults });`,
          // The driver does not reach frames, so the page of each state loads the tools itself.
          [galleryPage]: (html) => html.replace('</head>', '<script src="/inspect.js"></script></head>'),
        },
        await buildGallery(inject('browserName')),
      ),
    );
    const omit = inject('size') === 'daily' ? `&omit=${encodeURIComponent(SIMILAR)}` : '';
    const sheet = await extension.open(`${galleryPage}?text=${text}${omit}`);
    await expect.poll(() => sheet.evaluate(missingStates)).toEqual([]);
    const found: string[] = [];
    const audit: Audit = async (look, page, rules) => {
      const faults = await sheet.evaluate(auditStates, page, rules);
      found.push(...faults.map((fault) => `${look}: ${fault}`));
    };

    // During a transition, a colour would be measured between two values.
    await sheet.emulate({ colorScheme: 'light', reducedMotion: true });
    await audit('light', '');
    if (inject('size') !== 'daily') await auditOtherLooks(sheet, audit);

    expect(found).toEqual([]);
    // Firefox logs this when dozens of pages load at once. It is not about a single page.
    const logged = await extension.readConsole();
    expect(logged.filter((entry) => !entry.text.startsWith('Layout was forced before'))).toEqual([]);
  },
);

it.runIf(inject('size') !== 'daily')(
  'each view shows the first line below its heading on the first screen at 400 %',
  async () => {
    const extension = await launchBuiltExtension();
    for (const { name } of views) {
      const page = await extension.open(`${pages.options}#/${name}`);
      // A window of 1,280 by 1,024 px at 400 % zoom.
      await page.emulate({ viewport: { width: 320, height: 256 } });

      const bottom = await page.waitFor(() => {
        const below = document.querySelector('h1')?.parentElement?.nextElementSibling;
        if (!below?.textContent) return undefined;
        const text = document.createTreeWalker(below, NodeFilter.SHOW_TEXT).nextNode();
        const range = document.createRange();
        range.selectNodeContents(text ?? below);
        // The box of the first line.
        return range.getClientRects()[0]?.bottom;
      });

      expect(bottom, name).toBeLessThan(256);
      expect(await page.evaluate(() => scrollY), name).toBe(0);
      await page.close();
    }
  },
);

/** Audits all states in colours, widths and a direction in addition to the usual ones. */
async function auditOtherLooks(sheet: View, audit: Audit): Promise<void> {
  // These change only colours.
  for (const look of [{ colorScheme: 'dark' }, { forcedColors: true }] as const) {
    await sheet.emulate(look);
    await audit(Object.keys(look).join(), '', ['color-contrast']);
  }
  await sheet.emulate({ forcedColors: false });
  for (const [page, widths] of Object.entries(WIDTHS)) {
    for (const width of widths) {
      await sheet.evaluate(resizeStates, page, width);
      await audit(`${width} px`, page, ['target-size']);
    }
  }
  await sheet.evaluate(resizeStates, '', 320, 'rtl');
  await audit('from right to left', '', ['target-size']);
}

/** Changes the width, and the direction if it is given, of all states whose names begin with `page`. */
function resizeStates(page: string, width: number, direction?: string): void {
  for (const frame of document.querySelectorAll('iframe')) {
    if (!frame.title.startsWith(page)) continue;
    frame.width = String(width);
    if (direction) frame.contentDocument?.documentElement.setAttribute('dir', direction);
  }
}

/**
 * Returns the faults of all states whose names begin with `page`: violations of axe (of all rules, or only of `rules`), faults
 * of the layout, and popups that are too high.
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
    const faults = await frame.runAxe(rules);
    if (rules?.[0] !== 'color-contrast') faults.push(...frame.findLayoutFaults());
    if (title.startsWith('popup') && offsetWidth === 360 && offsetHeight > 600) faults.push('too high');
    found.push(...faults.map((fault) => `${title}: ${fault}`));
  }
  return found;
}
