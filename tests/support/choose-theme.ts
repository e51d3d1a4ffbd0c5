import type { RunningExtension } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/contract/pages.ts';

/** Chooses a theme in the preferences, as a person does: `label` is what stands beside it. */
export async function chooseTheme(extension: RunningExtension, label: string): Promise<void> {
  const page = await extension.open(`${pages.options}#/preferences`);
  await page.waitFor((text) => {
    const labels = [...document.querySelectorAll('label')];
    const theme = labels.find(({ textContent }) => textContent === text)?.querySelector('input');
    if (theme?.checked === false) theme.click();
    return theme?.checked && document.documentElement.dataset['theme'];
  }, label);
  await page.waitFor(() => !document.body.textContent.includes('Saving…'));
  await page.close();
}
