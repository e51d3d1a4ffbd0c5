import { expect, it } from 'vitest';

import { nameHelper, type View } from '../../scripts/browsers/running-extension.ts';
import {
  buildTestExtension,
  copyBuiltExtension,
  launchBuiltExtension,
  launchTestExtension,
} from '../support/built-extension.ts';
import { askEverything, everyCall, type Outcomes } from '../support/every-call.ts';

const everywhere = (outcome: string): Outcomes =>
  Object.fromEntries(everyCall.map(({ name }) => [name, outcome]));

const AS_OPTIONS = everywhere('answered');
const AS_POPUP = {
  ...AS_OPTIONS,
  'counter.add': 'FORBIDDEN',
  'counter.tick': 'FORBIDDEN',
  'blob.echo': 'FORBIDDEN',
};

// Content scripts are in tests/browser/content-scripts.test.ts, web pages and other extensions in strangers.test.ts.
it('answers the popup and the options page according to their rights, also in a frame', async () => {
  const extension = await launchTestExtension('watched');
  const options = await extension.open('options.html');
  await addFrame(options, { id: 'popup', src: 'popup.html' });
  await addFrame(options, { id: 'options', src: 'options.html' });

  const inTab = await options.evaluate(askEverything, everyCall, '');
  const framedPopup = await options.evaluate(askEverything, everyCall, '', '#popup');
  const framedOptions = await options.evaluate(askEverything, everyCall, '', '#options');
  const popup = await extension.openPopup();
  const inPopup = await popup.evaluate(askEverything, everyCall, '');

  expect({ inTab, inPopup }).toEqual({ inTab: AS_OPTIONS, inPopup: AS_POPUP });
  expect({ framedOptions, framedPopup }).toEqual({ framedOptions: AS_OPTIONS, framedPopup: AS_POPUP });
});

it('does not answer a page that the contract does not know, nor a sandboxed page', async () => {
  const files = {
    'other.html': '<!doctype html><body><script src="tell.js"></script>',
    'tell.js': `{
      ${nameHelper}
      const ask = ${askEverything.toString()};
      ask(${JSON.stringify(everyCall)}, '').then((outcomes) => parent.postMessage(outcomes, '*'));
    }`,
  };
  const folder = await copyBuiltExtension(files, await buildTestExtension('watched'));
  const options = await (await launchBuiltExtension(folder)).open('options.html');

  const other = await toldBy(options, { src: 'other.html' });
  const sandboxed = await toldBy(options, { src: 'other.html', sandbox: 'allow-scripts' });

  expect(other).toEqual(everywhere('refused'));
  expect([everywhere('refused'), everywhere('no API')]).toContainEqual(sandboxed);
});

/** Puts a frame with these attributes into a page, and waits until it has loaded. */
async function addFrame(page: View, attributes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(async (all) => {
    const frame = document.createElement('iframe');
    for (const [name, value] of Object.entries(all)) frame.setAttribute(name, value);
    await new Promise((resolve) => {
      frame.addEventListener('load', resolve);
      document.body.append(frame);
    });
  }, attributes);
}

/** Adds a frame with these attributes. Returns the outcomes of its calls, which it reports. */
async function toldBy(page: View, attributes: Readonly<Record<string, string>>): Promise<Outcomes> {
  await page.evaluate(() => {
    delete document.body.dataset['told'];
    addEventListener('message', ({ data }) => (document.body.dataset['told'] = JSON.stringify(data)));
  });
  await addFrame(page, attributes);
  return JSON.parse(await page.waitFor(() => document.body.dataset['told'])) as Outcomes;
}
