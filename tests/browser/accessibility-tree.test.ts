import { expect, inject, it } from 'vitest';

import { auditedViews } from '../support/audit/audited-views.ts';
import { enterState } from '../support/audit/enter-state.ts';
import { launchInState } from '../support/audit/launch-in-state.ts';

const HEADER = `Chromium's accessibility tree of this view, as reviewed. When the view has changed on purpose, write it anew and read the
difference: npm run build && npx vitest run --project chromium tests/browser/accessibility-tree.test.ts -u
`;

/** Views that make a call, and tell how long it took a moment after its answer. */
const ASKING = new Set(['popup', 'specification', 'about']);

it.runIf(inject('browserName') === 'chromium')(
  'tells assistive technology of each view what was reviewed',
  async () => {
    const extension = await launchInState('empty', 'english');

    for (const { name, address } of auditedViews) {
      const page = await extension.open(address);
      await enterState(page, name, 'empty');
      await page.waitFor(() => !/Asking|^…$/m.test(document.querySelector('main')?.innerText ?? ''));
      if (ASKING.has(name)) await page.waitFor(() => /\d\sms/.test(document.body.innerText));
      const tree = (await page.readAccessibilityTree()) ?? '';
      await page.close();

      await expect
        .soft(`${HEADER}\n${withoutMeasures(tree)}\n`)
        .toMatchFileSnapshot(`accessibility-trees/${name.replace(' ', '-')}.txt`);
    }
  },
);

/** What differs from run to run, from browser to browser and from version to version. */
function withoutMeasures(tree: string): string {
  return tree
    .replaceAll(/"[\d.,]+ (ms|bytes?|kB)"/g, '"(measured) $1"')
    .replaceAll(/"(Chrom|Edg|Google)[^"]* \d+"/g, '"(browser)"')
    .replaceAll(/"\d+\.\d+\.\d+"/g, '"(version)"');
}
