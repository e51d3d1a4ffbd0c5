import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

import { pages } from '../../src/contract/pages.ts';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { copyBuiltExtension, launchBuiltExtension, withLanguage } from '../support/built-extension.ts';
import { createPseudoLocale } from '../support/create-pseudo-locale.ts';

const PAGES = ['src/popup/index.html', 'src/options/index.html'];

describe('a language that one file adds', () => {
  it('is that of both pages: texts, title, direction, and numbers that have a unit', async () => {
    const persian = createPseudoLocale(messages, 'mirrored');
    const extension = await launchBuiltExtension(await withLanguage(await copyBuiltExtension(), persian));

    for (const address of PAGES) {
      const page = await extension.open(address);
      await page.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
      const { lang, dir, title, text } = await page.evaluate(() => ({
        lang: document.documentElement.lang,
        dir: document.documentElement.dir,
        title: document.title,
        text: document.body.textContent,
      }));

      expect([lang, dir], address).toEqual(['fa', 'rtl']);
      expect(title, address).toContain(persian['extension_name']?.message);
      expect(text, address).toContain(persian['background_awake']?.message);
      expect(text, address).not.toContain('Background awake');
    }
    const about = await extension.open('src/options/index.html#/about');
    expect(await about.waitFor(() => /[۰-۹] /u.test(document.body.innerText))).toBe(true);
    expect(await extension.readConsole()).toEqual([]);
  });

  it('is that of the popup behind the toolbar button, however often it is opened', async () => {
    const persian = createPseudoLocale(messages, 'mirrored');
    const extension = await launchBuiltExtension(await withLanguage(await copyBuiltExtension(), persian));

    const openPopup = async (): Promise<string> => {
      const popup = await extension.openPopup();
      await popup.waitFor(() => document.querySelector('[data-mark=solid]') !== null);
      const address = await popup.evaluate(() => location.pathname + location.hash);
      await popup.close();
      return address;
    };

    // Until the background has set the address, after the installation, the toolbar opens that of the manifest.
    await expect.poll(openPopup).toBe(`/${pages.popup}#system-foreign`);
    expect(await openPopup()).toBe(`/${pages.popup}#system-foreign`);
  });

  it('shows nothing of the English that the build has rendered', async () => {
    const folder = await withoutModules(await copyBuiltExtension());
    const extension = await launchBuiltExtension(
      await withLanguage(folder, createPseudoLocale(messages, 'doubled')),
    );

    // The address that the toolbar opens where the text is another than that of the build.
    for (const address of ['src/popup/index.html#system-foreign', 'src/options/index.html']) {
      const page = await extension.open(address);
      const rendered = await page.evaluate(() => document.querySelector('#root')?.textContent);

      expect(rendered, address).toContain('Background connecting…');
      expect(await page.text(), address).toBe('');
    }
  });
});

it('in English, what the build has rendered is seen before any module has run', async () => {
  const extension = await launchBuiltExtension(await withoutModules(await copyBuiltExtension()));

  for (const address of PAGES) {
    const page = await extension.open(address);
    const { lang, dir } = await page.evaluate(() => ({
      lang: document.documentElement.lang,
      dir: document.documentElement.dir,
    }));

    expect(await page.text(), address).toContain('Background connecting…');
    expect([lang, dir], address).toEqual(['en', 'ltr']);
  }
});

/** Holds the pages for good in the moment between their HTML and their modules. */
async function withoutModules(folder: string): Promise<string> {
  for (const page of PAGES) {
    const file = join(folder, page);
    const html = await readFile(file, 'utf8');
    await writeFile(file, html.replaceAll(/<script[^>]*type="module"[^>]*><\/script>/g, ''));
  }
  return folder;
}
