import { expect, it } from 'vitest';

import { launchTestExtension } from '../support/built-extension.ts';

it('sends calls one by one if they are too large together, and rejects only a call that is too large alone', async () => {
  const page = await (await launchTestExtension('core')).open('options.html');

  const { together, alone } = await page.evaluate(async () => {
    const ask = (name: 'text.echo' | 'blob.echo', text: string): Promise<unknown> =>
      core.query(name, text, { timeout: 600_000 }).then(
        ({ length }) => length,
        (error: unknown) => {
          const { code, delivery } = error as { code: string; delivery: string };
          return [code, delivery];
        },
      );
    // Together 72 MiB; Chromium takes 64 MiB in a message. Each is too large for the procedure, so that the answers are small.
    const text = '€'.repeat(4 * 1024 * 1024 - 2);
    return {
      together: await Promise.all(Array.from({ length: 6 }, () => ask('text.echo', text))),
      // The messages have 66 Mi and 12 Mi characters, because each character is escaped. Chromium takes 64 Mi.
      alone: [
        await ask('blob.echo', '\u0001'.repeat(11 * 2 ** 20)),
        await ask('blob.echo', '\u0001'.repeat(2 ** 21)),
      ],
    };
  });

  // The background has answered all of them. A call that the page refuses would be `not-sent`.
  expect(together).toEqual(Array.from({ length: 6 }, () => [expect.any(String), 'handled']));
  expect(alone).toEqual([['TOO_LARGE', 'not-sent'], 2 ** 21]);
});
