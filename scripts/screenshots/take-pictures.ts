import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { missingStates } from '../../tests/gallery/missing-states.ts';
import { pollUntil } from '../browsers/poll-until.ts';
import type { RunningExtension } from '../browsers/running-extension.ts';
import type { Picture } from './pictures.ts';

/** Takes the pictures, one after the other, and says where each of them is. */
export async function takePictures(
  gallery: RunningExtension,
  pictures: readonly Picture[],
  folder: string,
): Promise<void> {
  for (const { file, address, viewport } of pictures) {
    const path = join(folder, file);
    await mkdir(dirname(path), { recursive: true });
    const page = await gallery.open(address);
    await page.emulate({ viewport });
    await pollUntil(async () => (await page.evaluate(missingStates)).length === 0, {
      timeout: 60_000,
      waitingFor: async () => `these states: ${(await page.evaluate(missingStates)).join(', ')}`,
    });
    await page.screenshot(path);
    await page.close();
    console.log(`Picture: ${path}`);
  }
}
