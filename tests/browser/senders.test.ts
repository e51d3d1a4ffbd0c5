import { expect, inject, it } from 'vitest';

import { nameHelper } from '../../scripts/browsers/running-extension.ts';
import type { View } from '../../scripts/browsers/running-extension.ts';
import { buildWatchedExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { askEverything, everyCall } from '../support/every-call.ts';
import type { Outcomes } from '../support/every-call.ts';
import { addFrame } from '../support/page-actions.ts';
import { servePage } from '../support/web-page.ts';

const everywhere = (outcome: string): Outcomes =>
  Object.fromEntries(everyCall.map(({ name }) => [name, outcome]));

const AS_OPTIONS = everywhere('answered');
const AS_POPUP = {
  ...AS_OPTIONS,
  'counter.add': 'FORBIDDEN',
  'bell.ring': 'FORBIDDEN',
  'blob.echo': 'FORBIDDEN',
};

// Other extensions are in tests/browser/hostile.test.ts.
it('answers the popup, the options page and own pages in a frame as what they are', async () => {
  const extension = await launchBuiltExtension(await buildWatchedExtension());
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

it('answers neither an own page that the contract does not know nor a sandboxed page', async () => {
  const page = '<!doctype html><body><script src="tell.js"></script>';
  const folder = await buildWatchedExtension({ files: { 'other.html': page, 'tell.js': tellingScript } });
  const extension = await launchBuiltExtension(folder);
  const options = await extension.open('options.html');

  const other = await toldIn(await extension.open('other.html'));
  await addFrame(options, { src: 'other.html', sandbox: 'allow-scripts' });
  const sandboxed = await toldIn(options);

  expect(other).toEqual(everywhere('closed'));
  expect([everywhere('closed'), everywhere('no API')]).toContainEqual(sandboxed);
});

it('answers neither content scripts, in tabs or frames, nor web pages', async () => {
  const folder = await buildWatchedExtension({ contentScript: tellingScript });
  const extension = await launchBuiltExtension(folder);
  const page = await extension.open(await servePage());

  const inTab = await toldIn(page);
  await page.evaluate(() => document.documentElement.removeAttribute('data-told'));
  await addFrame(page, { src: await servePage() });
  const inFrame = await toldIn(page);
  const asPage = await page.evaluate(askEverything, everyCall, idOf(extension.origin));

  expect({ inTab, inFrame }).toEqual({ inTab: everywhere('closed'), inFrame: everywhere('closed') });
  expect(asPage).toEqual(everywhere('no API'));
});

function idOf(origin: string): string {
  return inject('browserName') === 'firefox' ? 'core@extension.invalid' : new URL(origin).hostname;
}

async function toldIn(page: View): Promise<Outcomes> {
  const told = await page.waitFor(() => document.documentElement.dataset['told']);
  return JSON.parse(told) as Outcomes;
}

/**
 * Source of a script that makes every call from where it runs. The outcomes end up as JSON in the attribute `data-told` of
 * the page in the tab: a frame sends them to its parent, which has to listen.
 */
const tellingScript = `{
  ${nameHelper}
  const ask = ${askEverything.toString()};
  ask(${JSON.stringify(everyCall)}, '').then((outcomes) => {
    const told = JSON.stringify(outcomes);
    if (window === top) document.documentElement.dataset.told = told;
    else parent.postMessage({ told }, '*');
  });
}`;
