import { expect, inject, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import type { CallError } from '../../src/messaging/wire/errors.ts';
import { launchTestExtension } from '../support/built-extension.ts';
import { act, launchContent, openReady } from '../support/content-page.ts';
import { askEverything, everyCall, outcomeOfAll } from '../support/every-call.ts';

// Other extensions are in tests/browser/strangers.test.ts.

it('answers the popup and the options page according to their rights, also in a frame', async () => {
  const extension = await launchTestExtension('core');
  const options = await extension.open('options.html');
  for (const name of ['popup', 'options']) {
    await options.evaluate(async (id) => {
      const frame = document.createElement('iframe');
      Object.assign(frame, { id, src: `${id}.html` });
      await new Promise((resolve) => {
        frame.addEventListener('load', resolve);
        document.body.append(frame);
      });
    }, name);
  }

  const inTab = await options.evaluate(askEverything, everyCall, '');
  const framedPopup = await options.evaluate(askEverything, everyCall, '', '#popup');
  const framedOptions = await options.evaluate(askEverything, everyCall, '', '#options');
  const popup = await extension.openPopup();
  const inPopup = await popup.evaluate(askEverything, everyCall, '');

  const asOptions = outcomeOfAll('answered');
  const asPopup = {
    ...asOptions,
    'counter.add': 'FORBIDDEN',
    'counter.tick': 'FORBIDDEN',
    'blob.echo': 'FORBIDDEN',
  };
  expect({ inTab, inPopup }).toEqual({ inTab: asOptions, inPopup: asPopup });
  expect({ framedOptions, framedPopup }).toEqual({ framedOptions: asOptions, framedPopup: asPopup });
});

it('answers a content script only on its sites, and only procedures that list it', async () => {
  const { extension, page, address } = await launchContent();
  const elsewhere = await openReady(extension, address.replace('web.test', 'other.test'));

  const onSite = await act(page, 'ask everything');
  const offSite = await act(elsewhere, 'ask everything');

  // On such a site, browsers leave out a part of their APIs.
  expect(await page.evaluate(() => isSecureContext)).toBe(false);
  expect(onSite).toEqual({
    ...outcomeOfAll('FORBIDDEN'),
    'counter.watch': 'answered',
    'text.echo': 'answered',
  });
  expect(await act(page, 'echo')).toMatchObject({ outcome: 'Hello from content' });
  expect(offSite).toEqual(outcomeOfAll('refused'));
});

it('gives handlers and observers each caller as the browser states it', async () => {
  const { extension, page, address } = await launchContent();
  await addFrame(page, 'frame', { src: `${address}frame` });
  const options = await extension.open('options.html#place');
  const popup = await extension.openPopup();

  const callers = {
    popup: await popup.evaluate(() => own.query('caller.read')),
    options: await options.evaluate(() => own.query('caller.read')),
    script: await act(page, 'ask who calls'),
    framed: await act(page, 'ask who calls', 'frame'),
    // A page can change its address without loading the script again.
    moved: await page
      .evaluate(() => history.pushState(null, '', '/moved'))
      .then(() => act(page, 'ask who calls')),
  };

  const [id, documentId]: unknown[] = [expect.any(Number), expect.any(String)];
  const isFirefox = inject('browserName') === 'firefox';
  const shown = isFirefox ? {} : { documentLifecycle: 'active' };
  const inTab = { tabId: id, frameId: 0, documentId, isPrivate: false, ...shown };
  const { origin } = extension;
  const script = { name: 'content', origin: new URL(address).origin, url: address, ...inTab };
  const expected = {
    popup: {
      name: 'popup',
      origin,
      url: `${origin}/popup.html`,
      ...(isFirefox && { documentId }),
    },
    options: { name: 'options', origin, url: `${origin}/options.html#place`, ...inTab },
    script,
    framed: { ...script, url: `${address}frame`, frameId: id },
    moved: script,
  };
  expect(callers).toEqual(
    Object.fromEntries(Object.entries(expected).map(([name, caller]) => [name, [caller, caller]])),
  );
});

it('refuses frames without a site and pages without a name at once, and logs each of them once', async () => {
  const { extension, page, address } = await launchContent({
    'other.html': '<!doctype html><script type="module" src="page.js"></script>',
  });
  const frames = {
    blank: {},
    srcdoc: { srcdoc: '<p>A document in an attribute</p>' },
    sandbox: { src: `${address}frame`, sandbox: 'allow-scripts' },
    policy: { src: `${address}sandboxed` },
  };
  for (const [name, attributes] of Object.entries(frames)) await addFrame(page, name, attributes);
  const other = await extension.open('other.html');

  const answers: unknown[] = [];
  for (const name of Object.keys(frames)) {
    answers.push(await act(page, 'echo', name), await act(page, 'echo', name));
  }
  answers.push(
    await other.evaluate(async () => {
      const outcome = await own.query('text.echo', 'Hello', { timeout: 600_000 }).catch((error: unknown) => {
        const { code, delivery } = error as CallError;
        return [code, delivery];
      });
      return { outcome, state: own.connection.state() };
    }),
  );

  const refusal = { outcome: ['FORBIDDEN', 'handled'], state: { status: 'failed', reason: 'refused' } };
  expect(answers).toEqual(answers.map(() => refusal));
  const options = await extension.open('options.html');
  const { origin } = new URL(address);
  const senders = [
    ['about:blank', origin],
    ['about:srcdoc', origin],
    [`${address}frame`, 'null'],
    [`${address}sandboxed`, 'null'],
    [`${extension.origin}/other.html`, extension.origin],
  ] as const;
  expect(await options.evaluate(() => own.query('log.read'))).toEqual(
    senders.map(
      ([url, from]) => `Error: A caller was refused: ${url} (origin ${from}) is not in the table of callers.`,
    ),
  );
});

/** Adds a frame to a page, and waits until its content script is ready. */
async function addFrame(page: View, id: string, attributes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(
    (all) =>
      new Promise<void>((resolve) => {
        const frame = document.createElement('iframe');
        for (const [name, value] of Object.entries(all)) frame.setAttribute(name, value);
        addEventListener('message', ({ data, source }: MessageEvent<{ readonly isReady?: true }>) => {
          if (data.isReady && source === frame.contentWindow) resolve();
        });
        document.body.append(frame);
      }),
    { ...attributes, id },
  );
}
