import { expect, inject, it } from 'vitest';

import { pollUntil } from '../../scripts/browsers/running-extension.ts';
import { launchBuiltExtension } from '../support/launch-built-extension.ts';
import { writeExtension } from '../support/write-extension.ts';

const manifest = {
  name: 'Fixture',
  action: { default_popup: 'popup.html' },
  background:
    inject('browserName') === 'firefox' ? { scripts: ['worker.js'] } : { service_worker: 'worker.js' },
  content_security_policy: { extension_pages: "script-src 'self'; img-src 'self'" },
  browser_specific_settings: { gecko: { id: 'fixture@extension.invalid' } },
};
const files = {
  'worker.js': '',
  'popup.html': '<!doctype html><title>Popup</title><script src="popup.js"></script>',
  'popup.js': '',
  'page.html': `<!doctype html><title>Page</title>
    <style>body { height: 3000px } button { margin-top: 2000px }</style>
    <input /><button>Press</button><script src="page.js"></script>`,
  'page.js': `document.addEventListener('click', (event) => { document.title = 'clicked ' + event.isTrusted; });
    document.addEventListener('keydown', (event) => { document.title = event.key + ' ' + event.isTrusted; });`,
};

it('reads what the worker, the popup and a page write to the console', async () => {
  const folder = await writeExtension(manifest, {
    ...files,
    'worker.js': `console.error('worker', { a: 1 }); setTimeout(() => { throw new Error('worker threw'); }, 10);`,
    'popup.js': `console.warn('popup'); Promise.reject(new TypeError('popup rejected'));`,
    'page.js': `document.body.append(Object.assign(new Image(), { src: 'https://example.invalid/x.png' }));
      console.log('page'); throw new Error('page threw');`,
  });
  const extension = await launchBuiltExtension(folder);

  await extension.open('page.html');
  await extension.openPopup();
  const count = 6;
  await pollUntil(async () => (await extension.readConsole()).length >= count, 'the console entries');
  const entries = await extension.readConsole();

  expect(entries).toHaveLength(count);
  expect(entries).toEqual(
    expect.arrayContaining([
      entry('error', /^worker /),
      entry('error', /worker threw/),
      entry('warning', /^popup$/),
      entry('error', /popup rejected/),
      entry('error', /page threw/),
      entry('error', /content.security.policy/i),
    ]),
  );
});

it('reports a worker that fails to start', async () => {
  const folder = await writeExtension(manifest, { ...files, 'worker.js': `throw new Error('no start');` });

  const extension = await launchBuiltExtension(folder);

  const error = await pollUntil(
    async () => (await extension.readConsole()).find(({ text }) => text.includes('no start')),
    'the error of the worker',
  );
  expect(error).toMatchObject({ level: 'error' });
});

it('ends the worker, which wakes when a page connects', async () => {
  const worker = `chrome.runtime.onConnect.addListener((port) => {
    port.onMessage.addListener((message) => port.postMessage('echo ' + message));
  });`;
  const extension = await launchBuiltExtension(
    await writeExtension(manifest, { ...files, 'worker.js': worker }),
  );
  const page = await extension.open('page.html');

  await extension.stopWorker();
  const wasRunning = await extension.isWorkerRunning();
  const answer = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const port = chrome.runtime.connect();
        port.onMessage.addListener(resolve);
        port.postMessage('call');
      }),
  );

  expect(wasRunning).toBe(false);
  expect(answer).toBe('echo call');
  expect(await extension.isWorkerRunning()).toBe(true);
});

it('clicks and presses keys as a person does', async () => {
  const extension = await launchBuiltExtension(await writeExtension(manifest, files));
  const page = await extension.open('page.html');

  await page.click('button');
  const afterClick = await page.evaluate(() => document.title);
  await page.press('Shift+Tab', 'x');

  expect(afterClick).toBe('clicked true');
  expect(await page.evaluate(() => document.title)).toBe('x true');
  expect(await page.evaluate(() => document.querySelector('input')?.value)).toBe('x');
});

it('emulates what a person sets, one thing without undoing another', async () => {
  const extension = await launchBuiltExtension(await writeExtension(manifest, files));
  const page = await extension.open('page.html');

  await page.emulate({ colorScheme: 'dark', viewport: { width: 500, height: 400 } });
  await page.emulate({ reducedMotion: true, forcedColors: true });

  const media = ['(prefers-color-scheme: dark)', '(prefers-reduced-motion)', '(forced-colors)'];
  expect(await page.evaluate((queries) => queries.map((query) => matchMedia(query).matches), media)).toEqual([
    true,
    true,
    true,
  ]);
  expect(await page.evaluate(() => [innerWidth, innerHeight])).toEqual([500, 400]);
});

it('closes and reloads views, and finds a tab that the extension opened', async () => {
  const extension = await launchBuiltExtension(await writeExtension(manifest, files));
  const page = await extension.open('page.html');

  await page.evaluate(() => void chrome.tabs.create({ url: 'page.html#found' }));
  const found = await extension.findView('page.html#found');
  await found.evaluate(() => {
    document.title = 'changed';
  });
  await found.reload();
  const popup = await extension.openPopup();
  await popup.close();

  expect(await found.evaluate(() => document.title)).toBe('Page');
  await expect(popup.text()).rejects.toThrow();
});

it('installs a second extension beside the first', async () => {
  const extension = await launchBuiltExtension(await writeExtension(manifest, files));
  const other = await writeExtension(
    { ...manifest, browser_specific_settings: { gecko: { id: 'other@extension.invalid' } } },
    files,
  );

  const { origin } = await extension.installExtension(other);
  const page = await extension.open(`${origin}/page.html`);

  expect(origin).not.toBe(extension.origin);
  expect(await page.evaluate(() => document.title)).toBe('Page');
});

function entry(level: 'warning' | 'error', text: RegExp): unknown {
  return expect.objectContaining({ level, text: expect.stringMatching(text) as unknown });
}
