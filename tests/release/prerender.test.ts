import { expect, inject, it } from 'vitest';

import { launchContent } from '../support/content-page.ts';

// Firefox does not prerender pages.
it.skipIf(inject('browserName') === 'firefox')(
  'a content script of a prerendered page is current when the page is shown, and handlers can tell',
  async () => {
    const { extension, address } = await launchContent();
    const options = await extension.open('options.html');
    const next = `${address}next`;
    const { id: tab = 0 } = await options.evaluate((url) => chrome.tabs.create({ url }), address);
    await options.waitFor(shows, tab, address, '0');
    await options.evaluate(prerenderNext, tab);
    const prerendered = await options.waitFor(findCaller, next, 'prerender');
    await extension.stopWorker();
    // The next background notifies the page in the tab, but not the prerendered one.
    await options.evaluate(() => own.mutate('counter.add', 1));
    await options.waitFor(shows, tab, address, '1');

    await options.evaluate(goToNext, tab);

    expect(await options.waitFor(shows, tab, next, '1')).toBe(true);
    const shown = await options.waitFor(findCaller, next, 'active');
    const id: unknown = expect.any(Number);
    expect(prerendered).toMatchObject({ tabId: tab, frameId: id, documentLifecycle: 'prerender' });
    expect(shown).toEqual({ ...prerendered, frameId: 0, documentLifecycle: 'active' });
  },
);

// A page of the extension looks into the tab, because Chromium does not prerender while DevTools is attached to the page.

/** Returns `true` if the page in a tab has this address and shows this count. */
async function shows(tabId: number, address: string, count: string): Promise<boolean> {
  const [run] = await chrome.scripting.executeScript({
    target: { tabId },
    func: () => [location.href, document.querySelector<HTMLElement>('count-output')?.dataset['count']],
  });
  return JSON.stringify(run?.result) === JSON.stringify([address, count]);
}

async function prerenderNext(tabId: number): Promise<void> {
  await chrome.scripting.executeScript({
    target: { tabId },
    func: () => {
      const rules = document.createElement('script');
      rules.type = 'speculationrules';
      rules.textContent = JSON.stringify({ prerender: [{ urls: ['/next'], eagerness: 'immediate' }] });
      document.head.append(rules);
    },
  });
}

async function goToNext(tabId: number): Promise<void> {
  await chrome.scripting.executeScript({ target: { tabId }, func: () => void (location.href = '/next') });
}

/** Returns the first content script with this address and state that has called the running background. */
async function findCaller(address: string, lifecycle: string) {
  const callers = await own.query('scripts.read');
  return callers.find(({ url, documentLifecycle }) => url === address && documentLifecycle === lifecycle);
}
