import { expect, it } from 'vitest';

import type { View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { launchBuiltExtension, withLanguage } from '../support/built-extension.ts';
import { createPseudoLocale } from '../support/create-pseudo-locale.ts';

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
