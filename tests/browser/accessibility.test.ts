import { describe, expect, inject, it } from 'vitest';

import { auditedModes, auditedViews, auditPopupWidths, auditState } from '../support/audit.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { findSmallTargets, findViolations } from '../support/inspect-page.ts';

const isSoak = inject('isSoak');
const states = isSoak ? [...new Set(auditedViews.flatMap((view) => view.states))] : (['filled'] as const);
const modes = auditedModes.filter(({ isQuick }) => isQuick || isSoak);

describe.each(states)('in the state %s', (state) => {
  it.each([...new Set(modes.map(({ language }) => language))])(
    'every view is accessible, its text %s',
    async (language) => {
      const { looks, found } = await auditState(
        state,
        language,
        modes.filter((mode) => mode.language === language),
      );

      expect(looks).toBeGreaterThan(0);
      expect(found).toEqual([]);
    },
  );
});

it('the real popup is accessible, light and dark', async () => {
  const extension = await launchBuiltExtension();
  const popup = await extension.openPopup();
  await popup.waitFor(() => document.querySelector('[data-mark=solid]') !== null);

  for (const colorScheme of ['light', 'dark'] as const) {
    await popup.emulate({ colorScheme });
    expect(await findViolations(popup), colorScheme).toEqual([]);
  }
  expect(await popup.evaluate(findSmallTargets)).toEqual([]);
  expect(await extension.readConsole()).toEqual([]);
});

const widths = isSoak
  ? Array.from({ length: 101 }, (_, index) => 200 + 6 * index)
  : [200, 240, 287, 288, 320, 360, 540, 800];

it.each(
  isSoak
    ? ([
        ['filled', 'english'],
        ['filled', 'doubled'],
        ['filled', 'mirrored'],
        ['failed', 'english'],
        ['failed', 'doubled'],
      ] as const)
    : ([['filled', 'english']] as const),
)('the popup that is %s, its text %s, can be used from 200 to 800 px', async (state, language) => {
  expect(await auditPopupWidths(state, language, widths)).toEqual([]);
});
