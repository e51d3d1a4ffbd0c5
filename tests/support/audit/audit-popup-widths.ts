import type { AuditedLanguage } from './audited-modes.ts';
import type { AuditedState } from './audited-views.ts';
import { enterState } from './enter-state.ts';
import { findLayoutFaults } from './find-layout-faults.ts';
import { findSmallTargets } from './find-small-targets.ts';
import { launchInState } from './launch-in-state.ts';

/** Looks for what cannot be read or pressed in the popup at each of these widths, in CSS px. Gives a line for each. */
export async function auditPopupWidths(
  state: AuditedState,
  language: AuditedLanguage,
  widths: readonly number[],
): Promise<readonly string[]> {
  const extension = await launchInState(state, language);
  const page = await extension.open('src/popup/index.html');
  await enterState(page, 'popup', state);

  const found: string[] = [];
  for (const width of widths) {
    await page.emulate({ viewport: { width, height: 600 } });
    const faults = [...(await page.evaluate(findSmallTargets)), ...(await page.evaluate(findLayoutFaults))];
    found.push(...faults.map((fault) => `${width} px: ${fault}`));
  }
  return found;
}
