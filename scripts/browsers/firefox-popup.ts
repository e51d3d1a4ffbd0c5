import type { FirefoxChromeScope } from './firefox-chrome-scope.ts';
import type { FirefoxWindow, XulBrowser } from './firefox-internals.ts';

declare const ChromeUtils: FirefoxWindow['ChromeUtils'];
declare const CustomizableUI: FirefoxWindow['CustomizableUI'];
declare const WebExtensionPolicy: FirefoxWindow['WebExtensionPolicy'];

/** Opens the extension's popup in Firefox's window. Resolves with the id by which BiDi commands reach it. */
export function openFirefoxPopup(chrome: FirefoxChromeScope, extensionId: string): Promise<string> {
  return chrome(openPopup, extensionId);
}

/** Puts the extension's button where the person finds it at once; otherwise it hides behind the one of all extensions. */
export function pinFirefoxAction(chrome: FirefoxChromeScope, extensionId: string): Promise<void> {
  return chrome((addonId) => {
    const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
    const extension = WebExtensionPolicy.getByID(addonId)?.extension;
    if (!extension) throw new Error(`${addonId} is not installed`);
    const button = ExtensionParent.apiManager.global.browserActionFor(extension);
    CustomizableUI.addWidgetToArea(button.id, CustomizableUI.AREA_NAVBAR);
  }, extensionId);
}

export async function closeFirefoxPopup(chrome: FirefoxChromeScope): Promise<void> {
  await chrome(() => {
    const panel: (Element & { hidePopup?(): void }) | null | undefined = document
      .querySelector('.webextension-popup-browser')
      ?.closest('panel');
    panel?.hidePopup?.();
  });
}

/** Runs in the chrome scope. */
async function openPopup(extensionId: string): Promise<string> {
  const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  );
  const extension = WebExtensionPolicy.getByID(extensionId)?.extension;
  if (!extension) throw new Error(`${extensionId} is not installed`);
  await ExtensionParent.apiManager.global.browserActionFor(extension).openPopup(window, true);

  // Firefox loads the popup out of sight and swaps it into the panel as that opens.
  let opened: XulBrowser | null = null;
  for (let attempt = 0; attempt < 200 && !opened; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    opened = document.querySelector('panel[panelopen] .webextension-popup-browser');
  }
  if (!opened) throw new Error('The popup did not open within 5 s');

  // BiDi addresses tabs only (https://bugzilla.mozilla.org/show_bug.cgi?id=1755014 keeps extensions out). Entering
  // the popup's browser into its table makes evaluation, input events and screenshots work there as in a tab.
  const popup = opened;
  const contextId = crypto.randomUUID();
  const { getBrowserById, getIdForBrowsingContext } = NavigableManager;
  NavigableManager.getBrowserById = (id) =>
    id === contextId && popup.isConnected ? popup : getBrowserById.call(NavigableManager, id);
  NavigableManager.getIdForBrowsingContext = (browsingContext) =>
    popup.isConnected && browsingContext === popup.browsingContext
      ? contextId
      : getIdForBrowsingContext.call(NavigableManager, browsingContext);
  return contextId;
}
