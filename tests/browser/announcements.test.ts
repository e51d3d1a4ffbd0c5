import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchFilled } from '../support/audit.ts';
import { launchBuiltExtension, withWorkerPrelude } from '../support/built-extension.ts';
import { findViolations, watchAnnouncements } from '../support/inspect-page.ts';
import { catchDownloads, openPreferences, pressButton } from '../support/page-actions.ts';

it('reads out that something is being saved and was saved, that a copy was made, and that it was removed', async () => {
  const page = await openPreferences(await launchFilled());
  await page.waitFor(() => document.querySelector('[role=alert]:not(:empty)') !== null);
  await page.evaluate(catchDownloads);
  await page.evaluate(watchAnnouncements);

  await page.click('input[name=theme]:not(:checked)');
  await heard(page, 'Saved.');
  await pressButton(page, 'Save a copy');
  await heard(page, 'Saving as');
  await pressButton(page, 'Remove…');
  const whileAsking = await findViolations(page);
  await pressButton(page, 'Remove');

  const announced = await heard(page, 'was removed');
  expect(announced.map((line) => line.replace(/ nine-points.*/, ' a file'))).toEqual([
    'status: Saving…',
    'status: Saved.',
    'status: Saving as a file',
    'status: The unreadable data was removed.',
  ]);
  expect(whileAsking).toEqual([]);
});

/** Lets nothing be written that a person changes. */
const FULL = `
  for (const api of new Set([globalThis.chrome, globalThis.browser])) {
    if (api === undefined) continue;
    const { local } = api.storage;
    const set = local.set.bind(local);
    local.set = (items) =>
      'preferences' in items ? Promise.reject(new Error('QUOTA_BYTES quota exceeded')) : set(items);
  }
`;

it('reads out that something was not saved, also when it fails again', async () => {
  const page = await openPreferences(await launchBuiltExtension(await withWorkerPrelude(FULL)));
  await page.evaluate(watchAnnouncements);

  await page.click('input[name=theme]:not(:checked)');
  await heard(page, 'The theme was not saved.');
  await page.click('[role=alert] + button');
  await page.waitFor(() => document.body.dataset['announced']?.match(/not saved/g)?.length === 2);

  const announced = await heard(page, 'Saving…');
  const failure = expect.stringMatching(/^alert: The theme was not saved\.The browser could not save this\./);
  expect(announced).toEqual(['status: Saving…', failure, 'status: Saving…', failure]);
  expect(await findViolations(page)).toEqual([]);
});

/** What was read out so far, when that was. */
async function heard(page: View, text: string): Promise<readonly string[]> {
  const announced = await page.waitFor((sentence) => {
    const all = document.body.dataset['announced'] ?? '';
    return all.includes(sentence) && all;
  }, text);
  return announced.split('\n');
}
