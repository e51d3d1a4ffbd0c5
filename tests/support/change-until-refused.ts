import type { View } from '../../scripts/browsers/running-extension.ts';

const MOST_CHANGES = 500;

/** What the options page has said of a change that was not saved, and the theme around it. */
export interface Refusal {
  readonly told: string;
  readonly before: string | undefined;
  readonly during: string | undefined;
}

/**
 * Changes the theme on the options page until that is refused: what the browser has laid aside before is there to be
 * written to. Rejects when every change is saved.
 *
 * @param prepare runs before each change
 */
export async function changeUntilRefused(options: View, prepare?: () => Promise<void>): Promise<Refusal> {
  for (let change = 0; change < MOST_CHANGES; change += 1) {
    await prepare?.();
    const before = await options.evaluate(() => document.documentElement.dataset['theme']);
    await options.click('input[name=theme]:not(:checked)');
    const told = await options.waitFor((last) => {
      const alert = document.querySelector('[role=alert]')?.textContent;
      const isSaved = document.documentElement.dataset['theme'] !== last;
      return alert ?? (isSaved && document.body.textContent.includes('Saved.') && 'Saved.');
    }, before);
    const during = await options.evaluate(() => document.documentElement.dataset['theme']);
    if (told !== 'Saved.') return { told, before, during };
  }
  throw new Error(`${MOST_CHANGES} changes of the theme were saved, and none refused`);
}
