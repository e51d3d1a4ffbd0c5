import { onTestFailed, onTestFinished } from 'vitest';

import { type Api, features } from '../../src/background/features.ts';
import { callers } from '../../src/callers.ts';
import type { Feature } from '../../src/messaging/define/feature.ts';
import type { Procedures } from '../../src/messaging/define/procedures.ts';
import { resetBrowser, startTurn } from './browser.ts';
import { type Handler, type Handlers, withHandlers } from './handlers.ts';
import { createMemoryWorld, type MemoryWorld, type MemoryWorldOptions } from './memory-world.ts';

interface ExtensionWorldOptions extends Partial<Pick<MemoryWorldOptions<[]>, 'patchStore'>> {
  /** Replaces handlers of the extension by name. */
  readonly handlers?: { readonly [Name in keyof Api]?: Handler<Api[Name]> };
}

/**
 * Creates a memory world with the extension's real features, which use the fake browser. Its background ends with the test. If
 * the test fails, the errors that the background has logged are printed.
 */
export function createExtensionWorld({
  handlers = {},
  ...options
}: ExtensionWorldOptions = {}): MemoryWorld<Api> {
  resetBrowser();
  const world = createMemoryWorld({
    ...options,
    callers,
    features: () => {
      startTurn();
      return features.map((feature) => replaceHandlers(feature, handlers)) as unknown as typeof features;
    },
  });
  onTestFinished(world.killWorker);
  onTestFailed(() => {
    for (const [incident, error] of world.logged) console.error(`Incident ${incident}:`, error);
  });
  return world;
}

function replaceHandlers(feature: Feature<Procedures>, handlers: Partial<Handlers<Procedures>>): object {
  return { ...feature, procedures: withHandlers(feature.procedures, handlers) };
}
