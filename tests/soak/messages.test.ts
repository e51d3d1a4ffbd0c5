import { expect, inject, it } from 'vitest';

import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { recordMessages, showMany } from '../support/show-messages.ts';

it(
  'holds ten thousand messages at most, and only the rows that are seen in the document',
  { timeout: 600_000 },
  async () => {
    const extension = await launchBuiltExtension();
    const options = await extension.open('src/options/index.html#/messages');
    await recordMessages(options);

    const { shown, rows, last, count } = await showMany(options, 15_000);

    console.log(`measured: ${inject('browserName')}: ${JSON.stringify({ messages: 15_000, shown, rows })}`);
    expect(shown).toBe(10_000);
    expect(rows).toBeLessThan(60);
    expect(last).toBe(count);
  },
);
