import { join } from 'node:path';
import { expect, inject, it } from 'vitest';

import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { projectFolder } from '../../scripts/project-folder.ts';
import { buildCoreExtension } from '../support/build-core-extension.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { askEverything, everyCall, type Outcomes } from '../support/every-call.ts';
import { servePage } from '../support/web-page.ts';

const everywhere = (outcome: string): Outcomes =>
  Object.fromEntries(everyCall.map(({ name }) => [name, outcome]));

it('answers a content script only on its sites, and only procedures that list it', async () => {
  const { extension, page, address } = await launchContent();
  const elsewhere = await openReady(extension, address.replace('127.0.0.1', 'localhost'));

  const onSite = await act(page, 'ask everything');
  const echo = await act(page, 'ask with the client');
  const offSite = await act(elsewhere, 'ask everything');
  const noEcho = await act(elsewhere, 'ask with the client');
  const options = await extension.open('options.html');
  const asOptions = await options.evaluate(askEverything, everyCall, '');

  expect(onSite).toEqual({
    ...everywhere('FORBIDDEN'),
    'counter.watch': 'answered',
    'text.echo': 'answered',
  });
  expect(echo).toBe('Hello from content');
  expect(offSite).toEqual(everywhere('refused'));
  expect(noEcho).toBe('FORBIDDEN');
  expect(asOptions).toEqual(everywhere('answered'));
});

it('limits the size of an input and the number of open calls of a content script', async () => {
  const { extension, page } = await launchContent();

  const largest = await act(page, 'send the largest input');
  const larger = await act(page, 'send a larger input');
  const calls = await act(page, 'call 33 times at once');
  const options = await extension.open('options.html');
  const ofOptions = await options.evaluate(
    askEverything,
    [{ ...echoCall, input: 'x'.repeat(64 * 1024) }],
    '',
  );

  expect(largest).toBe('xxxxxxxxxx from content');
  expect(larger).toBe('TOO_LARGE');
  expect(calls).toEqual({ rejected: 'TOO_MANY_CALLS', aborted: 31 });
  expect(ofOptions).toEqual({ 'text.echo': 'answered' });
});

it('resumes the subscriptions of a content script when the background wakes, without a message to other listeners', async () => {
  const { extension, page } = await launchContent();
  await shows(page, '0');
  await extension.stopWorker();
  await statusIs(page, 'asleep');

  const options = await extension.open('options.html');
  await options.evaluate(askEverything, [addCall], '');

  expect(await shows(page, '1')).toBe(true);
  expect(await act(page, 'heard')).toEqual([]);
});

it('serves a content script again when its page is back from the back/forward cache', async () => {
  const { extension, page, address } = await launchContent();
  await shows(page, '0');
  await page.evaluate(() => {
    addEventListener('pageshow', ({ persisted }) => (document.body.dataset['persisted'] = String(persisted)));
  });

  await page.evaluate((next) => void (location.href = next), `${address}next`);
  await page.waitFor(() => location.pathname === '/next');
  const options = await extension.open('options.html');
  await options.evaluate(askEverything, [addCall], '');
  await page.evaluate(() => history.back());
  await page.waitFor(() => location.pathname === '/' && document.body.dataset['persisted'] === 'true');

  expect(await shows(page, '1')).toBe(true);
  expect(await act(page, 'ask with the client')).toBe('Hello from content');
});

const echoCall = { kind: 'query', id: 1, name: 'text.echo', attempt: 1, timeout: 600_000 };
const addCall = {
  kind: 'mutation',
  id: 1,
  name: 'counter.add',
  input: 1,
  attempt: 1,
  timeout: 600_000,
  page: 'raw',
  sentAt: Date.now(),
};

async function launchContent() {
  const source = join(projectFolder, 'tests/support/content-extension');
  const extension = await launchBuiltExtension(await buildCoreExtension(inject('browserName'), source));
  const address = await servePage();
  return { extension, address, page: await openReady(extension, address) };
}

async function openReady(extension: RunningExtension, address: string): Promise<View> {
  const page = await extension.open(address);
  await page.waitFor(() => document.documentElement.dataset['ready'] === '');
  return page;
}

/** Makes the content script of a page run one of its actions. Returns the outcome. */
async function act(page: View, action: string): Promise<unknown> {
  await page.evaluate((name) => {
    const { dataset } = document.documentElement;
    delete dataset['done'];
    dataset['do'] = name;
    document.documentElement.dispatchEvent(new Event('act'));
  }, action);
  return JSON.parse(await page.waitFor(() => document.documentElement.dataset['done']));
}

function shows(page: View, count: string): Promise<boolean> {
  return page.waitFor((expected) => document.documentElement.dataset['count'] === expected, count);
}

async function statusIs(page: View, status: string): Promise<void> {
  while ((await act(page, 'status')) !== status);
}
