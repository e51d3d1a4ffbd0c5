// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import { catchFile } from '../support/catch-file.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import { press, renderOptions } from '../support/render.tsx';

it.each([
  ['#/questions', 'Save questionnaire', 'Saved as SPEC_GAPS.md', true],
  ['#/questions', 'Copy', 'Copied.', true],
  ['#/questions', 'Copy', 'The browser did not allow copying.', false],
  ['#/about', 'Copy for a bug report', 'Copied.', true],
  ['#/about', 'Copy for a bug report', 'The browser did not allow copying.', false],
  ['#/messages', 'Save as a file', 'Saved as ', true],
  ['#/preferences', 'Save a copy', 'Saved as ', true],
])('at %s, each press of "%s" announces "%s"', async (hash, name, result, isCopyAllowed) => {
  void catchFile();
  const writeText = vi.spyOn(navigator.clipboard, 'writeText');
  if (isCopyAllowed) writeText.mockResolvedValue();
  else writeText.mockRejectedValue(new Error('denied'));
  const world = createExtensionWorld();
  world.disk.write('quarantine/1000.a.preferences', { text: '"one"' });
  renderOptions(hash, world);
  await screen.findByRole('button', { name });
  press(name);
  const status = await screen.findByText((text) => text.startsWith(result));

  const second = await textsAfter(status, () => press(name));
  const third = await textsAfter(status, () => press(name));

  const text = expect.stringContaining(result);
  expect([status.role, second, third]).toEqual(['status', ['', text], ['', text]]);
});

it('announces the number of questions again for another filter that finds as many', async () => {
  renderOptions('#/questions?search=no-such-text');
  const status = await screen.findByText(/^No question matches/);

  const texts = await textsAfter(status, () =>
    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'no-other-text' } }),
  );

  expect(texts).toEqual(['', 'No question matches your search and filters.']);
});

/** Returns the texts that a status has after an event, until it has text again after it was empty. */
async function textsAfter(status: HTMLElement, cause: () => void): Promise<readonly string[]> {
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
