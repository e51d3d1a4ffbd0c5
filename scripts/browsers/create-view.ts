import { elementPoint } from './element-point.ts';
import { pageResult, pageSource } from './page-source.ts';
import { patience } from './patience.ts';
import { pollUntil } from './poll-until.ts';
import { settleEmulation } from './settle-emulation.ts';
import type { Truthy } from './truthy.ts';
import type { PageFunction, View } from './view.ts';

/** What each browser has to do in its own way; `createView` builds the rest on it. */
export interface ViewDriver extends Pick<
  View,
  'emulate' | 'readAccessibilityTree' | 'screenshot' | 'recordFrames' | 'measureHeap' | 'reload' | 'close'
> {
  /** Evaluates source text in the page and awaits the result, a primitive value. */
  run(source: string): Promise<unknown>;
  clickAt(point: { readonly x: number; readonly y: number }): Promise<void>;
  /** Presses the keys down in this order and lets them go in the opposite order. */
  pressTogether(keys: readonly string[]): Promise<void>;
}

export function createView(driver: ViewDriver): View {
  const view: View = {
    async emulate(emulation) {
      await driver.emulate(emulation);
      await view.waitFor(settleEmulation, emulation);
    },
    readAccessibilityTree: driver.readAccessibilityTree,
    screenshot: driver.screenshot,
    recordFrames: driver.recordFrames,
    measureHeap: driver.measureHeap,
    reload: driver.reload,
    close: driver.close,
    url: () => view.evaluate(() => location.href),
    text: () => view.evaluate(() => document.body.innerText),
    evaluate: async (run, ...args) => pageResult(await driver.run(pageSource(run, args))),
    waitFor: (run, ...args) => waitFor(view, run, args),
    async inject(source) {
      await driver.run(`${source}\n;undefined`);
    },
    async click(selector) {
      const point = await pollUntil(() => view.evaluate(elementPoint, selector), {
        timeout: patience,
        waitingFor: async () => `${selector} to be clickable. The page says: ${await view.text()}`,
      });
      await driver.clickAt(point);
    },
    async press(...keys) {
      for (const key of keys) await driver.pressTogether(key === '+' ? [key] : key.split('+'));
    },
  };
  return view;
}

async function waitFor<Args extends readonly unknown[], T>(
  view: View,
  run: PageFunction<Args, T>,
  args: Args,
): Promise<Truthy<T>> {
  let problem = '';
  // A page that is just being replaced, or has not rendered yet, answers with an exception: not an end of the wait.
  const ask = (): Promise<T | undefined> =>
    view.evaluate(run, ...args).catch((error: unknown) => {
      problem = ` The last answer was: ${String(error)}`;
      return undefined;
    });
  const answer = await pollUntil<T | undefined>(ask, {
    timeout: patience,
    waitingFor: async () => `${run.toString()}.${problem} The page says: ${await view.text()}`,
  });
  return answer;
}
