import { pollUntil } from '../browsers/poll-until.ts';
import type { RunningExtension } from '../browsers/running-extension.ts';

/**
 * Opens those of the pages again that are not open any more. Browsers close an extension's tabs when they reload it;
 * in the first moments afterwards they may refuse to open any.
 */
export async function reopenPages(extension: RunningExtension, pages: readonly string[]): Promise<void> {
  const stillOpen = await extension.openPages();
  for (const page of pages.filter((address) => !stillOpen.includes(address))) {
    const open = (): Promise<boolean> =>
      extension.open(page).then(
        () => true,
        () => false,
      );
    await pollUntil(open, { timeout: 10_000, waitingFor: `${page} to open again` });
  }
}
