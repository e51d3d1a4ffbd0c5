import * as v from 'valibot';
import { permissions, runtime, storage } from 'webextension-polyfill';

import { defineFeature } from '../../messaging/feature.ts';
import { query } from '../../procedures.ts';

/** Facts about the installed extension and its browser. */
const ExtensionInfo = v.strictObject({
  name: v.string(),
  id: v.string(),
  version: v.string(),
  /** Name and version, for example `Firefox 142.0`. */
  browser: v.string(),
  /** API permissions and host patterns that are granted now. */
  permissions: v.array(v.string()),
  /** Size of all stored data. Missing if the browser cannot report it. */
  storedBytes: v.exactOptional(v.number()),
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

/** Asks the browser about this extension. */
async function describeExtension(): Promise<ExtensionInfo> {
  const { id } = runtime;
  const { name, version } = runtime.getManifest();
  const { permissions: granted = [], origins = [] } = await permissions.getAll();
  const storedBytes = await storage.local.getBytesInUse(null).catch(() => undefined);
  return {
    name,
    id,
    version,
    browser: await describeBrowser(),
    permissions: [...granted, ...origins],
    ...(storedBytes !== undefined && { storedBytes }),
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

interface Brand {
  readonly brand: string;
  readonly version: string;
}

/** Returns the browser's name and version. Only Firefox has one API for both. Chromium lists several brands, of which one is invented. */
async function describeBrowser(): Promise<string> {
  // `getBrowserInfo` is missing in Chromium, although the library's types have it.
  const api: Partial<typeof runtime> = runtime;
  if (api.getBrowserInfo !== undefined) {
    const { name, version } = await api.getBrowserInfo();
    return `${name} ${version}`;
  }

  const { userAgentData } = navigator as Navigator & {
    readonly userAgentData?: { readonly brands: readonly Brand[] };
  };
  const brands = (userAgentData?.brands ?? []).filter(({ brand }) => !/not.*brand/i.test(brand));
  const brand = brands.find((candidate) => candidate.brand !== 'Chromium') ?? brands[0];
  return brand === undefined ? navigator.userAgent : `${brand.brand} ${brand.version}`;
}
