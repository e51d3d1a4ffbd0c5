import { expect, inject, it, vi } from 'vitest';

import { startDevelopment } from '../support/development.ts';

const OPTIONS = 'src/options/index.html';

it('`npm start` shows edits of components, styles and the background, and keeps what open pages have', async () => {
  const { extension, edit, untilShown } = await startDevelopment((prepare) =>
    prepare('src/options/options.tsx', (text) =>
      text.replace('<BackgroundStatus />', '<BackgroundStatus /><input />'),
    ),
  );
  const options = await extension.findView(OPTIONS);
  const popup = await extension.openPopup();
  await options.waitFor(() => document.querySelector('header input') !== null);
  await options.evaluate(() => {
    document.querySelector<HTMLElement>('header input')?.focus();
    Object.assign(globalThis, { isFirstPage: true });
  });
  await options.press('p');

  await edit('src/ui/background-status.tsx', (text) =>
    text.replace('className="line"', 'className="line" data-edit="component"'),
  );
  await edit('src/options/options.module.css', (text) => `${text}:root { --module: edited }\n`);
  await edit('src/ui/parts.css', (text) => `${text}:root { --sheet: edited }\n`);

  for (const view of [options, popup]) {
    await view.waitFor(() => document.querySelector('[data-edit=component]') !== null);
    await view.waitFor(
      () => getComputedStyle(document.documentElement).getPropertyValue('--sheet') === 'edited',
    );
  }
  await options.waitFor(
    () => getComputedStyle(document.documentElement).getPropertyValue('--module') === 'edited',
  );
  const kept = () => {
    const { activeElement } = document;
    return [activeElement instanceof HTMLInputElement && activeElement.value, 'isFirstPage' in globalThis];
  };
  expect(await options.evaluate(kept)).toEqual(['p', true]);
  expect(await extension.readConsole()).toEqual([]);

  // The terminal names what the policy of manifest.json refuses.
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
  await options.evaluate(async () => {
    document.head.append(document.createElement('style'));
    document.createElement('p').innerHTML = '<b>text</b>';
    await fetch('https://api.example/').catch(() => {});
  });
  await vi.waitFor(() => {
    const printed = warn.mock.calls.flat().join('\n');
    const added = ["'unsafe-inline' to style-src", '<b>text', 'https://api.example to connect-src'];
    for (const text of added) expect(printed).toContain(text);
  }, 60_000);
  warn.mockRestore();

  // A mistake is shown in the page, and its repair needs no other page.
  await edit('src/options/options.tsx', (text) => `${text}<`);
  await options.waitFor(() =>
    document.querySelector('vite-error-overlay')?.shadowRoot?.textContent.includes('options.tsx'),
  );
  await edit('src/options/options.tsx', (text) => text.slice(0, -1));
  await options.waitFor(() => document.querySelector('vite-error-overlay') === null);
  expect(await options.evaluate(kept)).toEqual(['p', true]);

  // An error of the background is shown before it replaces the one that runs.
  await edit('src/background/main.ts', (text) => `${text}throw new Error('planted');\n`);
  await options.waitFor(() =>
    document.querySelector('vite-error-overlay')?.shadowRoot?.textContent.includes('planted'),
  );
  await edit('src/background/main.ts', (text) => text.replace(/throw .*\n/u, ''));
  await options.waitFor(() => document.querySelector('vite-error-overlay') === null);
  expect(await options.evaluate(kept)).toEqual(['p', true]);

  // The subscription of the page is answered by the new code.
  await options.evaluate(() => (location.hash = '#/preferences'));
  await options.waitFor(() => document.querySelector('input[type=radio]') !== null);
  await edit('src/features/preferences/background.ts', (text) =>
    text.replace(
      '({ state }) => state.watch(preferences)',
      `async function* () { yield { theme: 'dark' }; await new Promise(() => {}) }`,
    ),
  );
  const shown = await untilShown(
    `${OPTIONS}#/preferences`,
    () => document.querySelector('input[type=radio][value=dark]:checked') !== null,
  );
  // Chromium opens the page again, because it keeps the script of a worker until the extension is installed again.
  expect(await shown.evaluate(() => 'isFirstPage' in globalThis)).toBe(inject('browserName') === 'firefox');
});
