import { screen, waitFor } from '@testing-library/react';
import { expect, vi } from 'vitest';

import { catchFile } from './catch-file.ts';
import type { createExtensionWorld } from './extension-world.ts';
import { press, renderOptions } from './render.tsx';

/**
 * Presses a button of the options page three times. Returns the role of the element that shows `result` after the first press,
 * and its texts after the second and the third one.
 */
export async function announcementsOfPresses(
  [hash, name, result, isCopyAllowed = true]: readonly [string, string, string, boolean?],
  world?: ReturnType<typeof createExtensionWorld>,
): Promise<readonly (string | null | readonly string[])[]> {
  void catchFile();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText');
  if (isCopyAllowed) writeText.mockResolvedValue();
  else writeText.mockRejectedValue(new Error('denied'));
  renderOptions(hash, world);
  await screen.findByRole('button', { name });
  press(name);
  const status = await screen.findByText((text) => text.startsWith(result));

  const second = await textsAfter(status, () => press(name));
  const third = await textsAfter(status, () => press(name));

  return [status.role, second, third];
}

/** The announcements of a button that announces each press with a text that has `result`. */
export function eachPress(result: string): readonly unknown[] {
  const text: unknown = expect.stringContaining(result);
  return ['status', ['', text], ['', text]];
}

/** Returns the texts that a status has after an event, until it has text again after it was empty. */
export async function textsAfter(status: HTMLElement, cause: () => void): Promise<readonly string[]> {
  const texts: string[] = [];
  const observer = new MutationObserver(() => {
    const text = status.textContent.trim();
    if (text !== texts.at(-1)) texts.push(text);
  });
  observer.observe(status, { subtree: true, childList: true, characterData: true });
  cause();
  await waitFor(() => expect(texts.length).toBeGreaterThanOrEqual(2));
  observer.disconnect();
  return texts;
}
