import type { View } from '../../scripts/browsers/running-extension.ts';

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
    for (let pauses = 0; pauses < 60 && findLast() < readSize(); pauses += 1) await pause();
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
