import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { auditedViews, launchFilled, openFilled } from '../support/audit.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { findLayoutFaults, findViolations } from '../support/inspect-page.ts';

// Every state of the views, in the colours of both themes and from right to left, is in tests/browser/states.test.ts.

const isSoak = inject('isSoak');

/** CSS px, of the popup: as narrow as Firefox makes it in its menu, and as wide as a browser shows one. */
const popupWidths = isSoak
  ? Array.from({ length: 101 }, (_, index) => 200 + 6 * index)
  : [200, 240, 287, 288, 320, 360, 540, 800];
const optionsWidths = [320, 1_280];

it.each(isSoak ? (['english', 'doubled', 'mirrored'] as const) : (['english'] as const))(
  'every view can be read, pressed and used with assistive technology, its text %s',
  async (language) => {
    const extension = await launchFilled(language);
    const found: string[] = [];

    for (const view of auditedViews) {
      const page = await openFilled(extension, view);
      const faults: string[] = [];
      // Another language changes nothing of what axe looks at.
      if (language === 'english') {
        await page.emulate({ forcedColors: true });
        faults.push(...(await findViolations(page)));
        await page.emulate({ forcedColors: false });
      }
      for (const width of view.name === 'popup' ? popupWidths : optionsWidths) {
        await page.emulate({ viewport: { width, height: 800 } });
        faults.push(...(await findUnusable(page, `${width} px`)));
      }
      await zoomTo(page, 2);
      faults.push(...(await findUnusable(page, 'zoomed')));
      await zoomTo(page, 1);
      found.push(...faults.map((fault) => `${view.name}: ${fault}`));
      await page.close();
    }

    expect(found).toEqual([]);
    expect(await extension.readConsole()).toEqual([]);
  },
);

it('the real popup is accessible, light, dark and with forced colours', async () => {
  const extension = await launchBuiltExtension();
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.querySelector('[data-mark=solid]') !== null);

  for (const look of [{ colorScheme: 'light' }, { colorScheme: 'dark' }, { forcedColors: true }] as const) {
    await popup.emulate(look);
    expect(await findViolations(popup), JSON.stringify(look)).toEqual([]);
  }
  expect(await findUnusable(popup, 'real')).toEqual([]);
  expect(await extension.readConsole()).toEqual([]);
});

/** What cannot be read or pressed. */
async function findUnusable(page: View, look: string): Promise<readonly string[]> {
  const small = await findViolations(page, ['target-size']);
  const faults = [...small, ...(await page.evaluate(findLayoutFaults))];
  return faults.map((fault) => `${look}: ${fault}`);
}

async function zoomTo(page: View, zoom: number): Promise<void> {
  await page.evaluate((factor) => chrome.tabs.setZoom(factor), zoom);
  await page.waitFor((factor) => devicePixelRatio === factor, zoom);
}
