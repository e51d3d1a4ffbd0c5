import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { launchTestExtension } from '../support/built-extension.ts';
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
