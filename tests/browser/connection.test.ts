import { expect, it } from 'vitest';

import { buildWatchedExtension, launchBuiltExtension, launchWatched } from '../support/built-extension.ts';

it('serves pages after the extension was updated under them, with the state there was', async () => {
  const folder = await buildWatchedExtension();
  const extension = await launchBuiltExtension(folder);
  const before = await extension.open('options.html');
  await before.evaluate(() => watched.mutate('counter.add', 3));

  await extension.installExtension(folder);
  const after = await extension.open('options.html');

  expect(await after.evaluate(() => watched.query('counter.read'))).toBe(3);
  expect(await after.evaluate(() => watched.mutate('counter.add', 1))).toBe(4);
  // The browser closes the old page, or the page is served, or it says that it must be reloaded; it never waits for ever.
  const old = await before
    .evaluate(async () =>
      watched.query('counter.read', undefined, { timeout: 2_000 }).then(
        () => 'answered',
        () => watched.connection.state().status,
      ),
    )
    .catch(() => 'closed');
  expect(['answered', 'failed', 'closed']).toContain(old);
});

it('takes calls that are together too large for one message, rejects one that is by itself, and continues', async () => {
  const page = await (await launchWatched()).open('options.html');

  const { together, alone } = await page.evaluate(async () => {
    const ask = (name: 'text.echo' | 'blob.echo', text: string): Promise<unknown> =>
      watched.query(name, text, { timeout: 600_000 }).then(
        ({ length }) => length,
        (error: unknown) => {
          const { code, delivery } = error as { code: string; delivery: string };
          return [code, delivery];
        },
      );
    // 72 MiB, of 64 that Chromium takes as one. Each is more than the procedure takes, so that the answers are small.
    const text = '€'.repeat(4 * 1024 * 1024 - 2);
    return {
      together: await Promise.all(Array.from({ length: 6 }, () => ask('text.echo', text))),
      // 72 MiB on Chromium's wire, then 24 Mi and 1.5 Mi characters of JSON.
      alone: [
        await ask('blob.echo', '\u0001'.repeat(12 * 1024 * 1024)),
        await ask('blob.echo', '\u0001'.repeat(2 ** 22)),
        await ask('blob.echo', '\u0001'.repeat(2 ** 18)),
      ],
    };
  });

  // With `not-sent` the page would have refused it: all of them came through.
  expect(together).toEqual(Array.from({ length: 6 }, () => [expect.any(String), 'handled']));
  expect(alone).toEqual([['TOO_LARGE', 'not-sent'], ['TOO_LARGE', 'not-sent'], 2 ** 18]);
});
