import { writeFile } from 'node:fs/promises';
import type { CDPSession, KeyInput, Page } from 'puppeteer-core';

import { createView } from './create-view.ts';
import { readChromiumTree } from './read-chromium-tree.ts';
import type { Emulation, View } from './view.ts';

/** A `View` of a Chromium tab, or of the popup, which has no size of its own to set. */
export async function createChromiumView(
  page: Page,
  { isPopup }: { readonly isPopup: boolean },
): Promise<View> {
  const session = await page.createCDPSession();
  const media = new Map<string, string>();

  return createView({
    run: (source) => page.evaluate(source),
    clickAt: ({ x, y }) => page.mouse.click(x, y),
    async pressTogether(keys) {
      // Puppeteer throws for names that are not keys, so the type of its table need not reach our callers.
      const inputs = keys as readonly KeyInput[];
      for (const key of inputs) await page.keyboard.down(key);
      for (const key of inputs.toReversed()) await page.keyboard.up(key);
    },
    async emulate({ viewport, ...emulation }) {
      // Each command replaces the features of the one before, so all that were ever set are sent.
      for (const [name, value] of mediaFeatures(emulation)) media.set(name, value);
      const features = Array.from(media, ([name, value]) => ({ name, value }));
      // Not Puppeteer's `emulateMediaFeatures`, which does not know forced colours.
      await session.send('Emulation.setEmulatedMedia', { features });

      if (viewport && isPopup) throw new Error('A popup takes its size from its content');
      if (viewport) await page.setViewport({ ...viewport });
    },
    readAccessibilityTree: () => readChromiumTree(session),
    async screenshot(file) {
      // A tab in the background is not painted. The popup is in front, or it would be closed.
      if (!isPopup && (await page.evaluate(() => document.hidden))) await page.bringToFront();
      await writeFile(file, await capture(session));
    },
    async recordFrames(run) {
      const frames: Buffer[] = [];
      session.on('Page.screencastFrame', ({ data, sessionId }) => {
        frames.push(Buffer.from(data, 'base64'));
        // The next one comes only when this one was taken.
        session.send('Page.screencastFrameAck', { sessionId }).catch(() => {
          // The page was closed meanwhile, and there is none to wait for.
        });
      });
      await session.send('Page.startScreencast', { format: 'png', everyNthFrame: 1 });
      try {
        await run();
      } finally {
        await session.send('Page.stopScreencast');
        session.removeAllListeners('Page.screencastFrame');
      }
      return frames;
    },
    async measureHeap() {
      // What has a finalizer goes only with the collection after it ran.
      await session.send('HeapProfiler.collectGarbage');
      await session.send('HeapProfiler.collectGarbage');
      return (await session.send('Runtime.getHeapUsage')).usedSize;
    },
    async reload() {
      await page.reload();
    },
    close: () => page.close(),
  });
}

function mediaFeatures({
  colorScheme,
  reducedMotion,
  forcedColors,
}: Emulation): [name: string, value: string][] {
  const features: [string, string][] = [];
  if (colorScheme !== undefined) features.push(['prefers-color-scheme', colorScheme]);
  if (reducedMotion !== undefined) {
    features.push(['prefers-reduced-motion', reducedMotion ? 'reduce' : 'no-preference']);
  }
  if (forcedColors !== undefined) features.push(['forced-colors', forcedColors ? 'active' : 'none']);
  return features;
}

/** The whole page as PNG. Not `page.screenshot`: that brings the page to the front, and so closes an open popup. */
async function capture(session: CDPSession): Promise<Buffer> {
  const { cssContentSize } = await session.send('Page.getLayoutMetrics');
  const { data } = await session.send('Page.captureScreenshot', {
    captureBeyondViewport: true,
    clip: { ...cssContentSize, scale: 1 },
  });
  return Buffer.from(data, 'base64');
}
