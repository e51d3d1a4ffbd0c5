import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/callers.ts';

/** Opens the preferences in a tab, and waits until they can be changed. */
export async function openPreferences(extension: RunningExtension): Promise<View> {
  const page = await extension.open(`${pages.options}#/preferences`);
  await page.waitFor(() => document.querySelector('input[name=theme]:checked') !== null);
  return page;
}

/** Chooses a theme by its label. The tab is not brought to the front, because that would close a popup. */
export async function pickTheme(page: View, label: string): Promise<string> {
  return page.waitFor((text) => {
    const labels = [...document.querySelectorAll('label')];
    const theme = labels.find(({ textContent }) => textContent === text)?.querySelector('input');
    theme?.click();
    return theme?.value;
  }, label);
}

/** Chooses a theme in a new tab, and waits until it is stored. */
export async function chooseTheme(extension: RunningExtension, label: string): Promise<void> {
  const page = await openPreferences(extension);
  const theme = await pickTheme(page, label);
  // A page shows a theme when the background has stored it.
  await page.waitFor((chosen) => document.documentElement.dataset['theme'] === chosen, theme);
  await page.close();
}

/** Presses the button with that text as soon as it is visible and enabled. If a dialog is open, the button is in the dialog. */
export async function pressButton(page: View, label: string): Promise<void> {
  await page.waitFor((text) => {
    const scope = document.querySelector('dialog[open]') ?? document;
    const button = [...scope.querySelectorAll('button')].find(({ textContent }) => textContent === text);
    if (button?.checkVisibility() !== true || button.ariaDisabled === 'true') return false;
    button.click();
    return true;
  }, label);
}

/** Runs in a page. From now on the text of a download is written into `data-saved` of the body instead of a file. */
export function catchDownloads(): void {
  delete document.body.dataset['saved'];
  URL.createObjectURL = (source) => {
    void read(source as Blob);
    return '#caught';
  };
  HTMLAnchorElement.prototype.click = () => {};

  async function read(blob: Blob): Promise<void> {
    document.body.dataset['saved'] = await blob.text();
  }
}

/** Runs in a page of the core extension. Shows the counter in the title, now and after every change. */
export function followCounter(): void {
  const show = async (): Promise<void> => {
    for await (const count of core.subscribe('counter.watch')) document.title = String(count);
  };
  void show();
}

/** Sets state of a session to 7, and adds an entry to other state, in the core extension. Returns both from before. */
export async function useSession(extension: RunningExtension): Promise<readonly number[]> {
  const page = await extension.open('options.html');
  return page.evaluate(async () => {
    const before = [await core.query('active.read'), (await core.query('ledger.read')).size];
    await core.mutate('active.set', 7);
    await core.mutate('ledger.append', 'line');
    return before;
  });
}
