import type { RunningExtension, View } from '../../scripts/browsers/running-extension.ts';
import { pages } from '../../src/contract/pages.ts';

/** Presses the button with that text, of the dialog if there is one, as soon as it is there and takes a press. */
export async function pressButton(page: View, label: string): Promise<void> {
  await page.waitFor((text) => {
    const scope = document.querySelector('dialog[open]') ?? document;
    const button = [...scope.querySelectorAll('button')].find(({ textContent }) => textContent === text);
    if (button?.checkVisibility() !== true || button.ariaDisabled === 'true') return false;
    button.click();
    return true;
  }, label);
}

/** Chooses a theme in the preferences, as a person does: `label` is the text next to it. */
export async function chooseTheme(extension: RunningExtension, label: string): Promise<void> {
  const page = await extension.open(`${pages.options}#/preferences`);
  await page.waitFor((text) => {
    const labels = [...document.querySelectorAll('label')];
    const theme = labels.find(({ textContent }) => textContent === text)?.querySelector('input');
    if (theme?.checked === false) theme.click();
    // A page takes the theme that the background says is stored.
    return theme && document.documentElement.dataset['theme'] === theme.value;
  }, label);
  await page.close();
}

const MOST_CHANGES = 500;

/** What the options page has said of a change that was not saved, and the theme around it. */
export interface Refusal {
  readonly told: string;
  readonly before: string | undefined;
  readonly during: string | undefined;
}

/**
 * Changes the theme on the options page until that is refused: what the browser has laid aside before is there to be
 * written to. Rejects when every change is saved.
 *
 * @param prepare runs before each change
 */
export async function changeUntilRefused(options: View, prepare?: () => Promise<void>): Promise<Refusal> {
  for (let change = 0; change < MOST_CHANGES; change += 1) {
    await prepare?.();
    const before = await options.evaluate(() => document.documentElement.dataset['theme']);
    await options.click('input[name=theme]:not(:checked)');
    const told = await options.waitFor((last) => {
      const alert = document.querySelector('[role=alert]')?.textContent;
      const isSaved = document.documentElement.dataset['theme'] !== last;
      return alert ?? (isSaved && document.body.textContent.includes('Saved.') && 'Saved.');
    }, before);
    const during = await options.evaluate(() => document.documentElement.dataset['theme']);
    if (told !== 'Saved.') return { told, before, during };
  }
  throw new Error(`${MOST_CHANGES} changes of the theme were saved, and none refused`);
}

/** Runs in a page: lets its downloads end in `data-saved` of the body and not in files. */
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

/** Switches the recording on in the open view of the messages, and waits until it is. */
export async function recordMessages(options: View): Promise<void> {
  await options.waitFor(() => document.querySelector('input[type=checkbox]') !== null);
  await options.click('input[type=checkbox]');
  await options.waitFor(() => document.body.textContent.includes('Saved.'));
}

interface Shown {
  /** Messages that the page holds. */
  readonly shown: number;
  /** Rows of them in the document. */
  readonly rows: number;
  /** Index of the last row after the table was scrolled to its end, and how many there are. */
  readonly last: number;
  readonly count: number;
}

/** Makes so many messages for the open view to take, some hundreds at a time. */
export async function sendMany(options: View, count: number): Promise<void> {
  for (let made = 0; made < count; made += 500) await options.evaluate(askMany, 500);
}

/** Makes the open view of the messages show so many of its own and scrolls to the oldest. */
export async function showMany(options: View, count: number): Promise<Shown> {
  await sendMany(options, count);
  return options.evaluate(async () => {
    const scroller = document.querySelector('[role=rowgroup][tabindex]');
    const readSize = (): number =>
      Number(document.querySelector('[role=table]')?.getAttribute('aria-rowcount'));
    const findRows = (): Element[] => [...document.querySelectorAll('[role=row][data-open]')];
    const findLast = (): number =>
      Math.max(...findRows().map((row) => Number(row.getAttribute('aria-rowindex'))));
    const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 500));

    // On a busy machine the view takes and draws when it can.
    let size = 0;
    while (readSize() > size) {
      size = readSize();
      await pause();
    }
    const rows = findRows().length;
    scroller?.scrollTo(0, scroller.scrollHeight);
    while (findLast() < readSize()) await pause();
    return { shown: size - 1, rows, last: findLast(), count: readSize() };
  });
}

/** Asks the worker many times at once, over a port of the page's own, and waits until the view has taken the records. */
async function askMany(count: number): Promise<void> {
  const port = chrome.runtime.connect();
  let answers = 0;
  await new Promise<void>((resolve) => {
    port.onMessage.addListener((message) => {
      const frames = [message].flat() as { kind: string }[];
      answers += frames.filter(({ kind }) => kind === 'value').length;
      if (answers === count) resolve();
    });
    const ids = Array.from({ length: count }, (_, index) => index + 1);
    const call = { kind: 'query', name: 'extension.info', attempt: 1, timeout: 30_000 };
    port.postMessage(ids.map((id) => Object.assign({ id }, call)));
  });
  port.disconnect();
  await new Promise((resolve) => setTimeout(resolve, 300));
}

/**
 * Puts a frame with these attributes into a page, and waits until the browser has loaded it or has had 5 s to. What the
 * frame tells the page, see `tellingScript`, goes into the attribute `data-told` of the page.
 */
export async function addFrame(page: View, attributes: Readonly<Record<string, string>>): Promise<void> {
  await page.evaluate(async (all) => {
    addEventListener('message', ({ data }: MessageEvent<{ readonly told?: string }>) => {
      if (data.told !== undefined) document.documentElement.dataset['told'] = data.told;
    });
    const frame = document.createElement('iframe');
    for (const [name, value] of Object.entries(all)) frame.setAttribute(name, value);
    await new Promise((resolve) => {
      frame.addEventListener('load', resolve);
      document.body.append(frame);
      setTimeout(resolve, 5_000);
    });
  }, attributes);
}

/** Runs in a page of the core's test extension: shows the counter in the title, now and after every change. */
export function followCounter(): void {
  const show = async (): Promise<void> => {
    for await (const count of client.subscribe('counter.watch')) document.title = String(count);
  };
  void show();
}
