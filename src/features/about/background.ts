import * as v from 'valibot';
import { permissions, runtime, storage } from 'webextension-polyfill';

import { defineFeature } from '../../messaging/feature.ts';
import { query } from '../../procedures.ts';

/** Facts about the installed extension. */
const ExtensionInfo = v.strictObject({
  id: v.string(),
  version: v.string(),
  /** API permissions and host patterns that are granted now. */
  permissions: v.array(v.string()),
  /** Starts of the background since the extension was loaded, and the time of the last one in ms since 1970. */
  starts: v.strictObject({ count: v.number(), latest: v.number() }),
});

export type ExtensionInfo = v.InferOutput<typeof ExtensionInfo>;

export const aboutFeature = defineFeature({
  procedures: {
    /** Does not need the stored state, so it is answered even if that cannot be read. */
    'extension.info': query({
      callers: ['popup', 'options'],
      output: ExtensionInfo,
      handle: describeExtension,
    }),
  },
  start: () => void countStart().catch(console.error),
});

async function describeExtension(): Promise<ExtensionInfo> {
  const { permissions: granted = [], origins = [] } = await permissions.getAll();
  return {
    id: runtime.id,
    version: runtime.getManifest().version,
    permissions: [...granted, ...origins],
    starts: await readStarts(),
  };
}

/** Counts this start of the background, for bug reports. */
async function countStart(): Promise<void> {
  const { count } = await readStarts();
  await storage.session.set({ starts: { count: count + 1, latest: Date.now() } });
}

async function readStarts(): Promise<ExtensionInfo['starts']> {
  const { starts } = await storage.session.get({ starts: { count: 0, latest: 0 } });
  return starts as ExtensionInfo['starts'];
}
