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

/** Counts the starts of the background since the browser was started, for bug reports. */
export async function noteStart(): Promise<void> {
  const { count } = await readStarts();
  await browser.storage.session.set({ starts: { count: count + 1, latest: Date.now() } });
}

async function readStarts(): Promise<ExtensionInfo['starts']> {
  const { starts } = await browser.storage.session.get({ starts: { count: 0, latest: 0 } });
  return starts as ExtensionInfo['starts'];
}

/**
 * The text of a key in `_locales`; empty if there is none. Callers name placeholders and the browser numbers them: `$1` is
 * the first name in alphabetical order, which a test checks.
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

/** Name and version of the browser. Only Firefox has an API for it. Chromium lists the product, `Chromium` and a fake brand. */
async function describeBrowser(): Promise<string> {
  // The library's types have a function that is missing in Chromium.
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
