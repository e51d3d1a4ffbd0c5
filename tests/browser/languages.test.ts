import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { copyBuiltExtension, launchBuiltExtension, withLanguage } from '../support/built-extension.ts';
import { createPseudoLocale } from '../support/create-pseudo-locale.ts';

const doubled = createPseudoLocale(messages, 'doubled');
const persian = createPseudoLocale(messages, 'mirrored');

it('a second language changes both pages: their texts, titles, direction and numbers', async () => {
  const extension = await launchBuiltExtension(await withLanguage(persian));

  for (const open of [() => extension.open(pages.options), () => extension.openPopup()]) {
    const page: View = await open();
    await page.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
    const { lang, dir, title, text } = await page.evaluate(() => ({
      lang: document.documentElement.lang,
      dir: document.documentElement.dir,
      title: document.title,
      text: document.body.textContent,
    }));
    await page.close();

    expect([lang, dir]).toEqual(['fa', 'rtl']);
    expect(title).toContain(persian['extension_name']?.message);
    expect(text).toContain(persian['background_awake']?.message);
    expect(text).not.toContain('response time');
  }
  const about = await extension.open(`${pages.options}#/about`);
  await about.waitFor(() => /[۰-۹] /u.test(document.body.innerText));
  expect(await extension.readConsole()).toEqual([]);
});

/** Removes the modules of both pages, so that they stay as they are before their modules run. */
const withoutModules = Object.fromEntries(
  Object.values(pages).map((page) => [
    page,
    (html: string) => html.replaceAll(/<script[^>]*type="module"[^>]*><\/script>/g, ''),
  ]),
);

it.each([
  ['shown in English', () => copyBuiltExtension(withoutModules), 'Connecting…'],
  ['hidden in another language', () => withLanguage(doubled, withoutModules), ''],
])('before any module runs, the frame that the build has rendered is %s', async (_how, build, seen) => {
  const extension = await launchBuiltExtension(await build());

  for (const address of Object.values(pages)) {
    const page = await extension.open(address);
    const root = await page.evaluate(() => document.querySelector('#root')?.textContent);

    expect(root, address).toContain('Connecting…');
    expect(await page.text(), address).toContain(seen);
    expect((await page.text()) === '', address).toBe(seen === '');
  }
});
