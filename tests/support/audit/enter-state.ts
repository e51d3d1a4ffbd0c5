import { pollUntil } from '../../../scripts/browsers/running-extension.ts';
import type { View } from '../../../scripts/browsers/running-extension.ts';
import { showMany } from '../show-messages.ts';
import type { AuditedState } from './audited-views.ts';

/** The states that a view is in before what the person does brings these about. */
const BEFORE: Partial<Record<AuditedState, AuditedState>> = { 'not-saved': 'empty', asking: 'filled' };

/** Does in a view what a person does to see it in that state, and waits until the page shows it. */
export async function enterState(page: View, view: string, state: AuditedState): Promise<void> {
  await waitUntilIn(page, BEFORE[state] ?? state);

  if (state === 'filled' && view === 'messages') {
    await showMany(page, 60);
    await page.evaluate(() => document.querySelector<HTMLElement>('[role=row] button')?.click());
    await page.waitFor(() => document.querySelector('section ol') !== null);
  }
  if (state === 'not-saved') {
    await page.waitFor(() => document.querySelectorAll('input[name=theme]').length === 3);
    await page.click('input[name=theme]:not(:checked)');
  }
  if (state === 'asking') {
    // The last thing to press is the removal of what could not be read.
    await page.waitFor(() => document.querySelectorAll('main button').length > 1);
    await page.evaluate(() => [...document.querySelectorAll<HTMLElement>('main button')].at(-1)?.click());
  }
  await waitUntilIn(page, state);
}

/** Longer than a page waits for a worker that says nothing. */
async function waitUntilIn(page: View, state: AuditedState): Promise<void> {
  await pollUntil(
    () => page.evaluate(isInState, state),
    async () => `the state ${state}. The page says: ${await page.text()}`,
  );
}

/** Whether the page shows what it shows in that state. Runs in the page. */
export function isInState(state: AuditedState): boolean {
  const has = (selector: string): boolean => document.querySelector(selector) !== null;
  const isAnswered = has('[data-mark=solid], [data-mark=hollow]');
  const hasAlert = has('[role=alert]:not(:empty)');
  switch (state) {
    case 'loading':
      return has('[data-mark=open]') && !hasAlert;
    case 'empty':
      return isAnswered && !hasAlert;
    case 'failed':
      return !isAnswered && hasAlert;
    case 'filled':
    case 'read-only':
    case 'not-saved':
      return isAnswered && hasAlert;
    case 'asking':
      return has('dialog[open]');
  }
}
