import { browser } from './browser.ts';

/** What the browser says of this extension, as the contract's `ExtensionInfo` wants it. */
export async function describeExtension(): Promise<{
  name: string;
  version: string;
  browser: string;
  permissions: string[];
}> {
  const { name, version } = browser.runtime.getManifest();
  const { permissions = [], origins = [] } = await browser.permissions.getAll();
  return { name, version, browser: await describeBrowser(), permissions: [...permissions, ...origins] };
}

interface Brand {
  readonly brand: string;
  readonly version: string;
}

/** Only Firefox can be asked; Chromium's brands hold one that is made up and `Chromium` beside the product's own. */
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
