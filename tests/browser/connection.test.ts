import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { buildCoreExtension } from '../support/build-core-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { followCounter } from '../support/page-actions.ts';

it('serves a page after a return by the back button, cached or loaded again', async () => {
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName')));
  const page = await extension.open('options.html');
  await page.evaluate(followCounter);
  await page.waitFor(() => document.title === '0');

  await go(page, () => location.assign('popup.html'), '/popup.html');
  const elsewhere = await page.evaluate(() => client.query('counter.read'));
  await go(page, () => history.back(), '/options.html');
  // Neither browser keeps an extension's page in its back/forward cache today. When one does, it follows still.
  if (await page.evaluate(() => document.title === 'ready')) await page.evaluate(followCounter);
  await page.evaluate(() => client.mutate('counter.add', 7));

  await page.waitFor(() => document.title === '7');
  expect(elsewhere).toBe(0);
});

it('serves pages after the extension was updated under them, with the state there was', async () => {
  const folder = await buildCoreExtension(inject('browserName'));
  const extension = await launchBuiltExtension(folder);
  const before = await extension.open('options.html');
  await before.evaluate(() => client.mutate('counter.add', 3));

  await extension.installExtension(folder);
  const after = await extension.open('options.html');

  expect(await after.evaluate(() => client.query('counter.read'))).toBe(3);
  expect(await after.evaluate(() => client.mutate('counter.add', 1))).toBe(4);
  // The browser closes the old page, or the page is served, or it says that it must be reloaded; it never waits for ever.
  const old = await before
    .evaluate(async () =>
      client.query('counter.read', undefined, { timeout: 2_000 }).then(
        () => 'answered',
        () => client.connection.state().status,
      ),
    )
    .catch(() => 'closed');
  expect(['answered', 'failed', 'closed']).toContain(old);
});

it('accepts calls that are together too large for one message', async () => {
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName')));
  const page = await extension.open('options.html');

  // 72 MiB, of 64 that Chromium takes as one. Each is more than the procedure takes, so that the answers are small.
  const deliveries = await page.evaluate(async () => {
    const text = '€'.repeat(4 * 1024 * 1024 - 2);
    const calls = Array.from({ length: 6 }, () =>
      client.query('text.echo', text, { timeout: 600_000 }).then(
        () => 'answered',
        (error: unknown) => (error as { delivery: string }).delivery,
      ),
    );
    return Promise.all(calls);
  });

  // With `not-sent` the page would have refused it: all of them came through.
  expect(deliveries).toEqual(Array.from({ length: 6 }, () => 'handled'));
});

it('rejects a value that is small in memory but too large on the wire, and continues', async () => {
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName')));
  const page = await extension.open('options.html');

  const outcomes = await page.evaluate(async () => {
    const ask = (text: string): Promise<unknown> =>
      client.query('blob.echo', text, { timeout: 600_000 }).then(
        ({ length }) => length,
        (error: unknown) => {
          const { code, delivery } = error as { code: string; delivery: string };
          return [code, delivery];
        },
      );
    // 72 MiB on Chromium's wire, then 24 Mi and 1.5 Mi characters of JSON.
    return [
      await ask('\u0001'.repeat(12 * 1024 * 1024)),
      await ask('\u0001'.repeat(2 ** 22)),
      await ask('\u0001'.repeat(2 ** 18)),
    ];
  });

  expect(outcomes).toEqual([['TOO_LARGE', 'not-sent'], ['TOO_LARGE', 'not-sent'], 2 ** 18]);
});

/** Goes to another address in the same tab; the page that asks for it may be gone before it is answered. */
async function go(page: View, leave: () => void, path: string): Promise<void> {
  await page.evaluate(leave).catch(() => undefined);
  await expect
    .poll(() => page.evaluate(() => location.pathname + document.readyState).catch(() => ''))
    .toBe(`${path}complete`);
}
