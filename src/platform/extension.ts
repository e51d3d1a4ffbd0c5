import type { ExtensionInfo } from '../contract.ts';
import * as browser from './browser.ts';

/** What the browser says of this extension. */
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

/** Notes that the background has started, until the browser is closed: a bug report says how often it did. */
export async function noteStart(): Promise<void> {
  const { count } = await readStarts();
  await browser.storage.session.set({ starts: { count: count + 1, latest: Date.now() } });
}

async function readStarts(): Promise<ExtensionInfo['starts']> {
  const { starts } = await browser.storage.session.get({ starts: { count: 0, latest: 0 } });
  return starts as ExtensionInfo['starts'];
}

/**
 * The text under a key of `_locales`, empty when there is none. The browser numbers placeholders, the caller names
 * them: `$1` is the first of the names in alphabetical order, and a test holds the messages to that.
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

/** Only Firefox has an API for this. Chromium's brands are the product's own, `Chromium` and a made-up one. */
async function describeBrowser(): Promise<string> {
  // The library's types promise what Chromium does not have.
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
