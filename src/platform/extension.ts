import type { ExtensionInfo } from '../contract.ts';
import * as browser from './browser.ts';

/** Asks the browser about this extension. */
export async function describeExtension(): Promise<ExtensionInfo> {
  const { id } = browser.runtime;
  const { name, version } = browser.runtime.getManifest();
  const { permissions = [], origins = [] } = await browser.permissions.getAll();
  const storedBytes = await browser.storage.local.getBytesInUse(null).catch(() => undefined);
  return {
    name,
    id,
    version,
    browser: await describeBrowser(),
    permissions: [...permissions, ...origins],
    ...(storedBytes !== undefined && { storedBytes }),
    starts: await readStarts(),
  };
}

/** Counts this start of the background, for bug reports. */
export async function noteStart(): Promise<void> {
  const { count } = await readStarts();
  await browser.storage.session.set({ starts: { count: count + 1, latest: Date.now() } });
}

async function readStarts(): Promise<ExtensionInfo['starts']> {
  const { starts } = await browser.storage.session.get({ starts: { count: 0, latest: 0 } });
  return starts as ExtensionInfo['starts'];
}

/**
 * Returns the text of a key in `_locales`, or an empty string if the key is missing. Placeholders have names here and numbers
 * in the browser: `$1` is the first name in alphabetical order, which a test checks.
 */
export function translate(key: string, values: Readonly<Record<string, string>> = {}): string {
  const inOrder = Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return browser.i18n.getMessage(
    key,
    inOrder.map(([, value]) => value),
  );
}

interface Brand {
  readonly brand: string;
  readonly version: string;
}

/** Returns the browser's name and version. Only Firefox has one API for both. Chromium lists several brands, of which one is invented. */
async function describeBrowser(): Promise<string> {
  // `getBrowserInfo` is missing in Chromium, although the library's types have it.
  const runtime: Partial<typeof browser.runtime> = browser.runtime;
  if (runtime.getBrowserInfo !== undefined) {
    const { name, version } = await runtime.getBrowserInfo();
    return `${name} ${version}`;
  }

  const { userAgentData } = navigator as Navigator & {
    readonly userAgentData?: { readonly brands: readonly Brand[] };
  };
  const brands = (userAgentData?.brands ?? []).filter(({ brand }) => !/not.*brand/i.test(brand));
  const brand = brands.find((candidate) => candidate.brand !== 'Chromium') ?? brands[0];
  return brand === undefined ? navigator.userAgent : `${brand.brand} ${brand.version}`;
}
