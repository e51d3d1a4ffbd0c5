import { expect, it } from 'vitest';

import { pollUntil, type View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import { launchBuiltExtension } from '../support/built-extension.ts';
import { serveWitness, type Witness } from '../support/web-page.ts';

const WAYS = [
  'inline script, inline handler, eval, Function, string timer, innerHTML, javascript: link, blob worker, base',
  'srcdoc, data: frame, data: script, remote.js, remote.css, image, frame, fetch, beacon, socket',
].flatMap((some) => some.split(', '));

it('blocks in both pages every injection that works in a web page without a policy', async () => {
  const extension = await launchBuiltExtension();
  const control = await serveWitness();
  const webPage = await extension.open(control.address);
  const options = await extension.open(pages.options);
  const attacked = [];

  for (const page of [options, await extension.openPopup()]) {
    await page.waitFor(() => document.body.textContent.includes('Ready'));
    const witness = await serveWitness();
    const address = await page.url();
    await page.evaluate(injectCode, witness.address);
    await page.evaluate(submitForm, witness.address);
    attacked.push({ page, witness, address });
  }
  // The web page is attacked last. When all effects are there, the extension had enough time to show them too.
  await webPage.evaluate(injectCode, control.address);
  await pollUntil(
    async () => (await effectsOf(webPage, control)).length === WAYS.length,
    async () => `${WAYS.join(', ')} to take effect; did: ${(await effectsOf(webPage, control)).join(', ')}`,
  );
  await webPage.evaluate(submitForm, control.address);
  await pollUntil(async () => control.asked.has('form'), 'the form to be sent');

  for (const { page, witness, address } of attacked) {
    expect(await effectsOf(page, witness), address).toEqual([]);
    expect([...witness.asked], address).toEqual([]);
    expect(await page.url()).toBe(address);
  }
});

async function effectsOf(page: View, { asked }: Witness): Promise<readonly string[]> {
  const done = await page.evaluate(
    () => JSON.parse(document.documentElement.dataset['done'] ?? '[]') as string[],
  );
  return WAYS.filter((way) => done.includes(way) || asked.has(way));
}

/* oxlint-disable no-eval, no-implied-eval, no-new-func, no-script-url, no-unsafe-call -- the policy must block all of this */

/**
 * Runs in a page, so it uses nothing outside of this function. Tries every way to bring foreign code or content into the page,
 * or data out of it. A success is recorded in `data-done` of the document, or is a request to the server. Each attempt is a
 * separate task like the page's own code, because the policy does not apply to the code of a debugger.
 */
function injectCode(server: string): void {
  const root = document.documentElement;
  const done = (name: string): void => {
    root.dataset['done'] = JSON.stringify([...(JSON.parse(root.dataset['done'] ?? '[]') as string[]), name]);
  };
  addEventListener('message', ({ data }) => done(String(data)));
  const telling = (name: string): string => `postMessage('${name}', '*')`;
  const framed = (name: string): string => `<script>parent.postMessage('${name}', '*')</script>`;
  const append = (tag: string, attributes: Readonly<Record<string, string>>, text = ''): HTMLElement => {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    // Trusted types check a text node only when the script is about to run.
    element.append(text);
    document.body.append(element);
    return element;
  };

  const attempts: readonly (() => void)[] = [
    () => append('script', {}, telling('inline script')),
    () => append('button', { type: 'button', onclick: telling('inline handler') }).click(),
    () => (0, eval)(telling('eval')),
    () => new Function(telling('Function'))(),
    () => setTimeout(telling('string timer')),
    () => (append('p', {}).innerHTML = `<img src="data:," onerror="${telling('innerHTML')}">`),
    () => append('iframe', { srcdoc: framed('srcdoc') }),
    () => append('a', { href: `javascript:void ${telling('javascript: link')}` }).click(),
    () => append('iframe', { src: `data:text/html,${framed('data: frame')}` }),
    () => append('script', { src: `data:text/javascript,${telling('data: script')}` }),
    () => {
      const code = new Blob([`postMessage('blob worker')`], { type: 'text/javascript' });
      new Worker(URL.createObjectURL(code)).addEventListener('message', ({ data }) => done(String(data)));
    },
    () => append('script', { src: `${server}remote.js` }),
    () => append('link', { rel: 'stylesheet', href: `${server}remote.css` }),
    () => append('img', { src: `${server}image` }),
    () => append('iframe', { src: `${server}frame` }),
    () => void fetch(`${server}fetch`, { mode: 'no-cors' }),
    () => void navigator.sendBeacon(`${server}beacon`),
    () => new WebSocket(`${server.replace('http', 'ws')}socket`),
    () => {
      const base = append('base', { href: `${server}base/` });
      if (document.baseURI.startsWith(server)) done('base');
      base.remove();
    },
  ];
  for (const attempt of attempts) setTimeout(attempt);
}

/** Runs in a page. Submits a form, which replaces the page if that is allowed. */
function submitForm(server: string): void {
  const form = document.createElement('form');
  form.action = `${server}form`;
  document.body.append(form);
  setTimeout(() => form.submit());
}
