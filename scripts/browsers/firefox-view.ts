import { writeFile } from 'node:fs/promises';

import type { BidiConnection } from './bidi-connection.ts';
import { createView } from './create-view.ts';
import { evaluateInFirefox } from './evaluate-in-firefox.ts';
import type { FirefoxChromeScope } from './firefox-chrome-scope.ts';
import type { FirefoxWindow } from './firefox-internals.ts';
import { firefoxKey } from './firefox-key.ts';
import { closeFirefoxPopup } from './firefox-popup.ts';
import type { Emulation, View } from './view.ts';
import { waitUntilLoaded } from './wait-until-loaded.ts';

declare const ChromeUtils: FirefoxWindow['ChromeUtils'];
declare const window: Pick<FirefoxWindow, 'windowUtils'>;

interface FirefoxViewOptions {
  readonly connection: BidiConnection;
  readonly chrome: FirefoxChromeScope;
  /** BiDi's id of the tab or popup. */
  readonly context: string;
  readonly isPopup: boolean;
}

/** A `View` of a Firefox tab, or of the popup, which has no size of its own to set. */
export function createFirefoxView({ connection, chrome, context, isPopup }: FirefoxViewOptions): View {
  const perform = async (device: Readonly<Record<string, unknown>>): Promise<void> => {
    await connection.send('input.performActions', { context, actions: [device] });
  };

  return createView({
    run: (source) => evaluateInFirefox(connection, context, source),
    clickAt: ({ x, y }) =>
      perform({
        type: 'pointer',
        id: 'mouse',
        actions: [
          { type: 'pointerMove', x, y },
          { type: 'pointerDown', button: 0 },
          { type: 'pointerUp', button: 0 },
        ],
      }),
    async pressTogether(names) {
      const keys = names.map(firefoxKey);
      const down = keys.map((value) => ({ type: 'keyDown', value }));
      const up = keys.toReversed().map((value) => ({ type: 'keyUp', value }));
      await perform({ type: 'key', id: 'keyboard', actions: [...down, ...up] });
    },
    async emulate(emulation) {
      const { viewport, ...media } = emulation;
      await chrome(overrideMedia, context, media);
      if (viewport && isPopup) throw new Error('A popup takes its size from its content');
      if (viewport) await connection.send('browsingContext.setViewport', { context, viewport });
    },
    readAccessibilityTree: async () => undefined,
    async screenshot(file) {
      const { data } = await connection.send('browsingContext.captureScreenshot', {
        context,
        origin: 'document',
      });
      await writeFile(file, Buffer.from(String(data), 'base64'));
    },
    async recordFrames(run) {
      await chrome(startRecording);
      try {
        await run();
      } catch (error) {
        await chrome(stopRecording);
        throw error;
      }
      return (await chrome(stopRecording)).map((data) => Buffer.from(data, 'base64'));
    },
    measureHeap: async () => undefined,
    async reload() {
      // Firefox does not say when an extension page has loaded, so a mark on the old page tells the new one from it.
      await evaluateInFirefox(connection, context, 'void (window.isBeforeReload = true)');
      await connection.send('browsingContext.reload', { context, wait: 'none' });
      await waitUntilLoaded(connection, context, '!window.isBeforeReload');
    },
    async close() {
      if (isPopup) await closeFirefoxPopup(chrome);
      else await connection.send('browsingContext.close', { context });
    },
  });
}

/** Runs in the chrome scope: what the compositor brings to the window is kept from now on. */
function startRecording(): void {
  window.windowUtils.startCompositionRecording();
}

/** Runs in the chrome scope. Gives what was kept, as PNG in base64. */
async function stopRecording(): Promise<readonly string[]> {
  const { frames } = await window.windowUtils.stopCompositionRecording(false);
  return frames.map(({ dataUri }) => dataUri.slice(dataUri.indexOf(',') + 1));
}

/** Runs in the chrome scope. BiDi in Firefox 153 has no command for this; the developer tools do it this way. */
function overrideMedia(context: string, media: Omit<Emulation, 'viewport'>): void {
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  );
  const browsingContext = NavigableManager.getBrowserById(context)?.browsingContext;
  if (!browsingContext) throw new Error('The page is closed');
  const { colorScheme, reducedMotion, forcedColors } = media;
  if (colorScheme !== undefined) browsingContext.prefersColorSchemeOverride = colorScheme;
  if (reducedMotion !== undefined) {
    browsingContext.prefersReducedMotionOverride = reducedMotion ? 'reduce' : 'no-preference';
  }
  if (forcedColors !== undefined) browsingContext.forcedColorsOverride = forcedColors ? 'active' : 'none';
}
