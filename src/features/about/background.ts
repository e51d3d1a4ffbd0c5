import * as v from 'valibot';
import { permissions, runtime, storage } from 'webextension-polyfill';

import { defineFeature, query } from '../../define.ts';

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

/** The starts so far. Resolves when this start has been counted. */
let starts: Promise<ExtensionInfo['starts']>;

export const aboutFeature = defineFeature({
  procedures: {
    /** Does not need the stored state, so it is answered even if that cannot be read. */
    'extension.info': query({
      callers: ['popup', 'options'],
      output: ExtensionInfo,
      handle: async () => {
        const { permissions: granted = [], origins = [] } = await permissions.getAll();
        const { version } = runtime.getManifest();
        return { id: runtime.id, version, permissions: [...granted, ...origins], starts: await starts };
      },
    }),
  },
  start: () => {
    starts = countStart();
  },
});

/** Counts this start of the background, for bug reports. */
async function countStart(): Promise<ExtensionInfo['starts']> {
  const { starts: count } = await storage.session.get({ starts: 0 });
  const next = Number(count) + 1;
  // When other code has filled `storage.session`, the next start has the same number.
  await storage.session.set({ starts: next }).catch(() => {});
  return { count: next, latest: Date.now() };
}
