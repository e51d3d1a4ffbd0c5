import { expect, it } from 'vitest';

import { pages } from '../../../../src/callers.ts';
import { launchBuiltExtension } from '../../../support/built-extension.ts';
import { catchDownloads, pressButton } from '../../../support/page-actions.ts';

const VIEW = `${pages.options}#/messages`;

/** Rows, without the head of the table. */
const ROW = 'tbody tr';

it('shows the messages of all pages and of each background, and saves them as a file', async () => {
  const extension = await launchBuiltExtension();
  const options = await extension.open(VIEW);
  await options.waitFor(() => document.body.innerText.includes('Background started'));
  // The call that wakes the worker is recorded too.
  await extension.stopWorker();
  await extension.openPopup();

  const openStream = await options.waitFor((row) => {
    const texts = [...document.querySelectorAll(row)].map(({ textContent }) => textContent);
    return texts.find((text) => /preferences\.watch.*popup.*Open$/.test(text));
  }, ROW);
  await options.evaluate(catchDownloads);
  await pressButton(options, 'Save as a file');
  const saved: unknown = JSON.parse(await options.waitFor(() => document.body.dataset['saved']));
  await options.waitFor(() => /Saved as \S+-messages-/.test(document.body.textContent));

  expect(openStream).toMatch(/preferences\.watchsubscriptionpopup \d1Open$/);
  const stream = {
    number: expect.any(Number),
    caller: 'popup',
    connection: expect.any(Number),
    hasFailed: false,
    kind: 'subscription',
    name: 'preferences.watch',
    outcome: 'open',
    at: expect.any(Number),
    attempts: 1,
  };
  expect(saved).toEqual([
    expect.objectContaining({ startedAt: expect.any(Number) }),
    expect.objectContaining({ records: expect.arrayContaining([stream]) }),
  ]);
  expect(await extension.readConsole()).toEqual([]);
});
