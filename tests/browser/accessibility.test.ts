import { expect, it } from 'vitest';

import { auditedModes } from '../support/audit/audited-modes.ts';
import { auditPopupWidths } from '../support/audit/audit-popup-widths.ts';
import { auditState } from '../support/audit/audit-state.ts';
import { findSmallTargets } from '../support/audit/find-small-targets.ts';
import { findViolations } from '../support/audit/find-violations.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';

const quickModes = auditedModes.filter(({ isQuick }) => isQuick);

// The other states and modes, of the same table, are looked at in tests/soak/accessibility.test.ts.
it.each([
  ['filled', 'english'],
  ['filled', 'mirrored'],
] as const)('there is no barrier in any view that is %s, its text %s', async (state, language) => {
  const modes = quickModes.filter((mode) => mode.language === language);

  const { looks, found } = await auditState(state, language, modes);

  expect(looks).toBeGreaterThan(0);
  expect(found).toEqual([]);
});

it('there is no barrier in the real popup, light and dark', async () => {
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

it('the popup can be used from 200 to 800 px', async () => {
  const found = await auditPopupWidths('filled', 'english', [200, 240, 287, 288, 320, 360, 540, 800]);

  expect(found).toEqual([]);
});
