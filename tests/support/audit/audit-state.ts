import type { View } from '../../../scripts/browsers/running-extension.ts';
import type { AuditedLanguage, auditedModes } from './audited-modes.ts';
import { auditedViews } from './audited-views.ts';
import type { AuditedState } from './audited-views.ts';
import { enterState, isInState } from './enter-state.ts';
import { findLayoutFaults } from './find-layout-faults.ts';
import { findSmallTargets } from './find-small-targets.ts';
import { findViolations } from './find-violations.ts';
import { launchInState } from './launch-in-state.ts';

type Mode = (typeof auditedModes)[number];

export interface Audit {
  /** How many times a view was looked at in a mode. */
  readonly looks: number;
  /** What was found, in a line each. */
  readonly found: readonly string[];
}

/** Looks for barriers in each view that has the state, in each of these modes; all of them are of one language. */
export async function auditState(
  state: AuditedState,
  language: AuditedLanguage,
  modes: readonly Mode[],
): Promise<Audit> {
  const extension = await launchInState(state, language);
  const views = auditedViews.filter(({ states }) => states.includes(state));
  const found: string[] = [];

  for (const view of views) {
    const { name, address } = view;
    const page = await extension.open(address);
    await enterState(page, name, state);
    for (const mode of modes) {
      await show(page, mode, view.widest);
      if (state === 'loading') {
        // It lasts until the worker is given up.
        await page.reload();
        await enterState(page, name, state);
      }
      const faults = [
        ...(await findViolations(page)),
        ...(await page.evaluate(findSmallTargets)),
        ...(await page.evaluate(findLayoutFaults)),
        ...((await page.evaluate(isInState, state)) ? [] : ['The page was not in that state to the end.']),
      ];
      found.push(...faults.map((fault) => `${name}, ${state}, ${mode.name}: ${fault}`));
    }
    await page.close();
  }
  return { looks: views.length * modes.length, found };
}

/** Zooms last: zooming divides the size that the viewport was given. */
async function show(page: View, { zoom, emulation }: Mode, widest = Infinity): Promise<void> {
  const { width, height } = emulation.viewport;
  await zoomTo(page, 1);
  await page.emulate({ ...emulation, viewport: { width: Math.min(width, widest * zoom), height } });
  await zoomTo(page, zoom);
}

async function zoomTo(page: View, zoom: number): Promise<void> {
  await page.evaluate((factor) => chrome.tabs.setZoom(factor), zoom);
  await page.waitFor((factor) => devicePixelRatio === factor, zoom);
}
