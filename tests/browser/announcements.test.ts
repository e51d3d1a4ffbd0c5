import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { enterState, launchInState } from '../support/audit.ts';
import { watchAnnouncements } from '../support/inspect-page.ts';
import { catchDownloads, pressButton } from '../support/page-actions.ts';

const ADDRESS = 'src/options/index.html#/preferences';

it('reads out that something is being saved and was saved, that a copy was made, and that it was removed', async () => {
  const extension = await launchInState('filled', 'english');
  const page = await extension.open(ADDRESS);
  await enterState(page, 'preferences', 'filled');
  await page.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
  await page.evaluate(catchDownloads);
  await page.evaluate(watchAnnouncements);

  await page.click('input[name=theme]:not(:checked)');
  await heard(page, 'Saved.');
  await pressButton(page, 'Save a copy');
  await heard(page, 'Saving as');
  await pressButton(page, 'Remove…');
  await pressButton(page, 'Remove');

  const announced = await heard(page, 'was removed');
  expect(announced.map((line) => line.replace(/ nine-points.*/, ' a file'))).toEqual([
    'status: Saving…',
    'status: Saved.',
    'status: Saving as a file',
    'status: The unreadable data was removed.',
  ]);
});

it('reads out that something was not saved, also when it fails again', async () => {
  const extension = await launchInState('not-saved', 'english');
  const page = await extension.open(ADDRESS);
  await enterState(page, 'preferences', 'empty');
  await page.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
  await page.evaluate(watchAnnouncements);

  await page.click('input[name=theme]:not(:checked)');
  await heard(page, 'The theme was not saved.');
  await page.click('[role=alert] + button');
  await page.waitFor(() => document.body.dataset['announced']?.match(/not saved/g)?.length === 2);

  const announced = await heard(page, 'Saving…');
  const failure = expect.stringMatching(/^alert: The theme was not saved\.The browser could not save this\./);
  expect(announced).toEqual(['status: Saving…', failure, 'status: Saving…', failure]);
});

/** What was read out so far, when that was. */
async function heard(page: View, text: string): Promise<readonly string[]> {
  const announced = await page.waitFor((sentence) => {
    const all = document.body.dataset['announced'] ?? '';
    return all.includes(sentence) && all;
  }, text);
  return announced.split('\n');
}
