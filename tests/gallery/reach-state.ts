import type { Translate } from '../../src/ui/text.ts';
import type { GalleryState, GalleryStep } from './gallery-state.ts';

/** Brings the page that is shown into a state, and settles when it says so. Never settles when it does not. */
export async function reachState({ steps = [], says }: GalleryState, t: Translate): Promise<void> {
  for (const step of steps) await take(step, t);
  // Without a placeholder's value the text that stands around it has to do.
  const text = t(says as 'retry');
  await until(() => document.body.textContent.includes(text) || undefined);
}

async function take(step: GalleryStep, t: Translate): Promise<void> {
  const label = t(step.press as 'retry');
  const button = await until(() =>
    [...document.querySelectorAll('button')].find(
      (candidate) => candidate.textContent === label && candidate.checkVisibility(),
    ),
  );
  button.click();
}

async function until<T>(look: () => T | null | undefined): Promise<T> {
  for (;;) {
    const found = look();
    if (found !== null && found !== undefined) return found;
    await new Promise((resolve) => {
      setTimeout(resolve, 10);
    });
  }
}
