import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension } from '../support/build-core-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { askEverything, everyCall } from '../support/every-call.ts';
import { servePage } from '../support/web-page.ts';

const source = join(projectFolder, 'tests/support/content-extension');
const everywhere = (outcome: string): Record<string, string> =>
  Object.fromEntries(everyCall.map(({ name }) => [name, outcome]));

// Content scripts that the contract does not know are in tests/browser/strangers.test.ts.
it('answers a content script that the contract knows, one procedure and on its site alone', async () => {
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName'), source));
  const address = await servePage();

  const onSite = await toldIn(await extension.open(address));
  const elsewhere = await toldIn(await extension.open(address.replace('127.0.0.1', 'localhost')));
  const options = await extension.open('options.html');
  const asOptions = await options.evaluate(askEverything, everyCall, '');

  expect(onSite).toEqual({
    outcomes: { ...everywhere('FORBIDDEN'), 'text.echo': 'answered' },
    echo: 'Hello from content',
  });
  expect(elsewhere).toMatchObject({ outcomes: everywhere('closed') });
  expect(elsewhere.echo).toContain('TIMEOUT');
  expect(asOptions).toEqual(everywhere('answered'));
  expect(await options.evaluate(() => chrome.storage.local.get('counter'))).toEqual({ counter: 1 });
});

async function toldIn(page: View): Promise<{ readonly outcomes: unknown; readonly echo: string }> {
  const told = await page.waitFor(() => document.documentElement.dataset['told']);
  return JSON.parse(told) as { readonly outcomes: unknown; readonly echo: string };
}
