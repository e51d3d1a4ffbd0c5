import { expect, it } from 'vitest';

import { pages } from '../../src/callers.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { copyBuiltExtension, launchBuiltExtension } from '../support/built-extension.ts';
import { createPseudoLocale } from '../support/create-pseudo-locale.ts';

const persian = createPseudoLocale(messages, 'mirrored');
const english = new Set(Object.values(messages).map(({ message }) => message));

it('a second language changes both pages: their texts, titles, direction and numbers', async () => {
  // The browsers of the tests run in American English, so they prefer its `en_US` to the `en` of the build.
  const folder = await copyBuiltExtension({ '_locales/en_US/messages.json': JSON.stringify(persian) });
  const extension = await launchBuiltExtension(folder);

  for (const page of [await extension.open(pages.options), await extension.openPopup()]) {
    await page.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
    const { lang, dir, title, text, header } = await page.evaluate(() => ({
      lang: document.documentElement.lang,
      dir: document.documentElement.dir,
      title: document.title,
      text: document.body.textContent,
      header: Array.from(document.querySelectorAll('header *'), ({ textContent }) => textContent),
    }));

    expect([lang, dir]).toEqual(['fa', 'rtl']);
    expect(title).toContain(persian['extension_name']?.message);
    expect(text).toContain(persian['background_awake']?.message);
    expect(header.filter((shown) => english.has(shown))).toEqual([]);
  }
  const about = await extension.open(`${pages.options}#/about`);
  await about.waitFor(() => /[۰-۹] /u.test(document.body.innerText));
  expect(await extension.readConsole()).toEqual([]);
});
