import { expect, inject, it } from 'vitest';

import { pages } from '../../src/callers.ts';
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { heard, watchAnnouncements } from '../support/inspect-page.ts';

/** Script that makes the worker ignore every port until a value is stored under `heal`. */
const MUTE = `
  let isMute = true;
  chrome.storage.onChanged.addListener((changes) => { if ('heal' in changes) isMute = false; });
  for (const api of new Set([globalThis.chrome, globalThis.browser])) {
    if (api === undefined) continue;
    const { onConnect } = api.runtime;
    const addListener = onConnect.addListener.bind(onConnect);
    onConnect.addListener = (listener) => addListener((port) => { if (!isMute) listener(port); });
  }
`;

it('reports that a silent background does not answer, and recovers when it answers', async () => {
  const folder = await copyBuiltExtension({ 'worker.js': (text) => `${MUTE}\n${text}` });
  const extension = await launchBuiltExtension(folder);
  const options = await extension.open(`${pages.options}#/preferences`);
  await options.waitFor(() => document.body.textContent.includes('Connecting…'));

  await options.evaluate(watchAnnouncements);
  await options.waitFor(() => document.body.textContent.includes('The extension does not respond.'));
  await options.click('[role=alert] + button');
  await options.waitFor(() => document.querySelector('[role=alert] + button')?.textContent === 'Trying…');
  await options.evaluate(() => chrome.storage.local.set({ heal: true }));

  await options.waitFor(() => document.body.textContent.includes('Ready'));
  await options.waitFor(() => document.querySelector('input[name=theme]:checked') !== null);
  const announced = await heard(options, 'Ready');
  expect(announced).toContainEqual(expect.stringMatching(/^alert: The extension does not respond\./));
});

type Change = readonly [background: string, change: (script: string) => string];

const early: Change = ['throws before it listens', (script) => `throw new Error('no start');\n${script}`];
const later: readonly Change[] = [
  ['cannot be parsed', (script) => `${script}\nconst = 1;`],
  ['listens too late', (script) => `setTimeout(() => { ${script} }, 600_000);`],
];
/** In Firefox, such a background answers, or shares the thread of the pages. */
const onlyInChromium: readonly Change[] = [
  ['throws after it listens', (script) => `${script}\nthrow new Error('no start');`],
  ['never ends its first turn', () => 'for (;;);'],
];
const others = inject('browserName') === 'chromium' ? [...later, ...onlyInChromium] : later;

it.each(inject('size') === 'daily' ? [early] : [early, ...others])(
  'reports once in each page that a background that %s cannot be reached',
  async (_background, change) => {
    const extension = await launchBuiltExtension(await copyBuiltExtension({ 'worker.js': change }));

    const options = await extension.open(pages.options);
    const popup = await extension.openPopup();

    for (const page of [options, popup]) {
      const alerts = await page.waitFor(() => {
        const texts = [...document.querySelectorAll('[role=alert]')].map(({ textContent }) => textContent);
        return texts.join('') !== '' && texts.filter(Boolean);
      });
      // A port without a listener is closed. Chromium never registers a worker that throws, and leaves its ports open, so that
      // it looks silent.
      expect(alerts).toEqual([
        expect.stringMatching(/keeps stopping before it can respond|does not respond/),
      ]);
      expect(await page.text()).toContain('Try again');
    }
  },
);
