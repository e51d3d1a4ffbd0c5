import {
  type ConsoleEntry,
  type Emulation,
  nameHelper,
  pageResult,
  pageSource,
  type PageFunction,
} from './running-extension.ts';

export type FirefoxWindow = ReturnType<typeof createFirefoxWindow>;

/**
 * Firefox's own window (`browser.xhtml`), where the browser's internals are at hand: what WebDriver BiDi has no command
 * for is done here. All functions that are passed to `run` were tried on Firefox 153; they must not refer to anything
 * outside themselves but the globals that are declared below.
 *
 * @param evaluate evaluates source text in the window and awaits its promise
 */
export function createFirefoxWindow(evaluate: (source: string) => Promise<unknown>) {
  const run = async <Args extends readonly unknown[], T>(
    call: PageFunction<Args, T>,
    ...args: Args
  ): Promise<T> => pageResult(await evaluate(pageSource(call, args)));

  return {
    /** `moz-extension://<uuid>` of an installed extension, which Firefox makes up and keeps for the profile. */
    originOf: (id: string) =>
      run((addonId) => {
        // At once: the browser may be killed.
        Services.prefs.savePrefFile(null);
        return `moz-extension://${WebExtensionPolicy.getByID(addonId)?.mozExtensionHostname}`;
      }, id),
    /** Extensions that are installed from now on have new origins, under which nothing is stored. */
    forgetOrigins: () => run(() => Services.prefs.clearUserPref('extensions.webextensions.uuids')),
    /** Puts the extension's button where the person finds it at once; otherwise it hides behind the one of all extensions. */
    pinAction: (id: string) => run(pinAction, id),
    /** Opens the extension's popup. Resolves with the id by which BiDi commands reach it. */
    openPopup: (id: string) => run(openPopup, id),
    closePopup: () =>
      run(() => {
        const popup = document.querySelector('.webextension-popup-browser');
        popup?.closest<Element & { hidePopup(): void }>('panel')?.hidePopup();
      }),
    /** `starting`, `running`, `suspending` or `stopped`. */
    backgroundState: (id: string) =>
      run((addonId) => WebExtensionPolicy.getByID(addonId)?.extension.backgroundState, id),
    /** Resolves when the event page is gone. */
    stopBackground: (id: string) =>
      run(async (addonId) => {
        const options = { ignoreDevToolsAttached: true, disableResetIdleForTest: true };
        await WebExtensionPolicy.getByID(addonId)?.extension.terminateBackground(options);
      }, id),
    /** What extensions write is kept from now on. */
    collectConsole() {
      const source = `{ ${nameHelper} (${forwardConsoleCalls.toString()})(); }`;
      return run(collectConsole, `data:application/javascript,${encodeURIComponent(source)}`);
    },
    readConsole: (origin: string) =>
      run((start) => window.extensionConsole.filter(({ source }) => source.startsWith(start)), `${origin}/`),
    overrideMedia: (context: string, media: Emulation) => run(overrideMedia, context, media),
    /** What the compositor brings to the window is kept from now on. */
    startRecording: () => run(() => window.windowUtils.startCompositionRecording()),
    /** What was kept, as PNG in base64. */
    stopRecording: () =>
      run(async () => {
        const { frames } = await window.windowUtils.stopCompositionRecording(false);
        return frames.map(({ dataUri }) => dataUri.slice(dataUri.indexOf(',') + 1));
      }),
  };
}

function pinAction(id: string): void {
  const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
  const button = ExtensionParent.apiManager.global.browserActionFor(
    WebExtensionPolicy.getByID(id)?.extension,
  );
  CustomizableUI.addWidgetToArea(button.id, CustomizableUI.AREA_NAVBAR);
}

async function openPopup(id: string): Promise<string> {
  const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
  const button = ExtensionParent.apiManager.global.browserActionFor(
    WebExtensionPolicy.getByID(id)?.extension,
  );
  await button.openPopup(window, true);

  // Firefox loads the popup out of sight and swaps it into the panel as that opens.
  let opened: XulBrowser | null = null;
  for (let attempt = 0; attempt < 1_000 && !opened; attempt += 1) {
    await new Promise((resolve) => setTimeout(resolve, 25));
    opened = document.querySelector('panel[panelopen] .webextension-popup-browser');
  }
  if (!opened) throw new Error('The popup did not open');

  // BiDi addresses tabs only (https://bugzilla.mozilla.org/show_bug.cgi?id=1755014 keeps extensions out). Entering
  // the popup's browser into its table makes evaluation, input events and screenshots work there as in a tab.
  const popup = opened;
  const contextId = crypto.randomUUID();
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  );
  const { getBrowserById, getIdForBrowsingContext } = NavigableManager;
  NavigableManager.getBrowserById = (browserId) =>
    browserId === contextId && popup.isConnected ? popup : getBrowserById.call(NavigableManager, browserId);
  NavigableManager.getIdForBrowsingContext = (browsingContext) =>
    popup.isConnected && browsingContext === popup.browsingContext
      ? contextId
      : getIdForBrowsingContext.call(NavigableManager, browsingContext);
  return contextId;
}

/** BiDi in Firefox 153 has no command for this; the developer tools do it this way. */
function overrideMedia(context: string, { colorScheme, reducedMotion, forcedColors }: Emulation): void {
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  );
  const browsingContext = NavigableManager.getBrowserById(context)?.browsingContext;
  if (!browsingContext) throw new Error('The page is closed');
  if (colorScheme !== undefined) browsingContext.prefersColorSchemeOverride = colorScheme;
  if (reducedMotion !== undefined) {
    browsingContext.prefersReducedMotionOverride = reducedMotion ? 'reduce' : 'no-preference';
  }
  if (forcedColors !== undefined) browsingContext.forcedColorsOverride = forcedColors ? 'active' : 'none';
}

/**
 * Firefox's BiDi has no log events for extensions. Exceptions and policy violations of every process reach the window's
 * error console; calls of `console.*` stay in the extension's process, where a process script hands them over. Neither
 * of them holds the event page awake.
 */
function collectConsole(processScript: string): void {
  const entries: ConsoleEntry[] = [];
  window.extensionConsole = entries;
  Services.console.registerListener({
    observe(message) {
      // The list also holds messages of other kinds.
      if (!(message instanceof Ci.nsIScriptError)) return;
      const { sourceName, errorMessage, flags } = message;
      if (!sourceName.startsWith('moz-extension://') || flags & Ci.nsIScriptError.infoFlag) return;
      // Firefox's own remark on an event page that was ended during a call of the API, as tests do on purpose.
      if (errorMessage.startsWith('Promise resolved after context unloaded')) return;
      const isWarning = flags & Ci.nsIScriptError.warningFlag;
      entries.push({ level: isWarning ? 'warning' : 'error', text: errorMessage, source: sourceName });
    },
  });
  Services.ppmm.addMessageListener('extension-console', ({ data }) => entries.push(data));
  Services.ppmm.loadProcessScript(processScript, true);
}

/** Runs in every process, with the browser's rights. */
function forwardConsoleCalls(): void {
  const storage = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage);
  const principal = Cc['@mozilla.org/systemprincipal;1'].createInstance(Ci.nsIPrincipal);
  const describe = (value: unknown): string => {
    if (typeof value === 'object' && value !== null && !('stack' in value)) return JSON.stringify(value);
    return String(value);
  };
  storage.addLogEventListener(({ wrappedJSObject: call }) => {
    if (!call.addonId || !['warn', 'error', 'assert'].includes(call.level)) return;
    const level = call.level === 'warn' ? 'warning' : 'error';
    const text = call.arguments.map(describe).join(' ');
    sendAsyncMessage('extension-console', { level, text, source: call.filename });
  }, principal);
}

// The parts of Firefox's internals that are used above.

declare const ChromeUtils: {
  importESModule(url: 'resource://gre/modules/ExtensionParent.sys.mjs'): {
    ExtensionParent: { apiManager: { global: { browserActionFor(extension: unknown): BrowserAction } } };
  };
  importESModule(url: 'chrome://remote/content/shared/NavigableManager.sys.mjs'): {
    NavigableManager: NavigableManager;
  };
};
declare const CustomizableUI: { AREA_NAVBAR: string; addWidgetToArea(widget: string, area: string): void };
declare const WebExtensionPolicy: {
  getByID(id: string): { mozExtensionHostname: string; extension: Extension } | null;
};
declare const Services: {
  console: { registerListener(listener: { observe(message: unknown): void }): void };
  prefs: { clearUserPref(name: string): void; savePrefFile(file: null): void };
  ppmm: {
    addMessageListener(name: string, listener: (message: { data: ConsoleEntry }) => void): void;
    loadProcessScript(url: string, alsoInFutureProcesses: boolean): void;
  };
};
declare const Cc: {
  '@mozilla.org/consoleAPI-storage;1': { getService(type: unknown): ConsoleStorage };
  '@mozilla.org/systemprincipal;1': { createInstance(type: unknown): unknown };
};
declare const Ci: {
  nsIConsoleAPIStorage: unknown;
  nsIPrincipal: unknown;
  nsIScriptError: (new () => { sourceName: string; errorMessage: string; flags: number }) & {
    warningFlag: number;
    infoFlag: number;
  };
};
declare const sendAsyncMessage: (name: string, data: ConsoleEntry) => void;
declare const window: Window & {
  /** Our own list of what was written to the consoles. */
  extensionConsole: ConsoleEntry[];
  windowUtils: {
    startCompositionRecording(): void;
    stopCompositionRecording(writesToDisk: boolean): Promise<{ frames: readonly { dataUri: string }[] }>;
  };
};

interface Extension {
  readonly backgroundState: string;
  terminateBackground(options: Readonly<Record<string, boolean>>): Promise<void>;
}

/** Of the toolbar button. */
interface BrowserAction {
  readonly id: string;
  openPopup(window: Window, openPopupWithoutUserInteraction: boolean): Promise<void>;
}

interface NavigableManager {
  getBrowserById: (this: NavigableManager, id: string) => XulBrowser | null;
  getIdForBrowsingContext: (this: NavigableManager, browsingContext: unknown) => string | null;
}

interface XulBrowser extends Element {
  readonly browsingContext: Record<
    `${'prefersColorScheme' | 'prefersReducedMotion' | 'forcedColors'}Override`,
    string
  >;
}

interface ConsoleStorage {
  addLogEventListener(
    listener: (message: { wrappedJSObject: ConsoleCall }) => void,
    principal: unknown,
  ): void;
}

interface ConsoleCall {
  readonly addonId: string;
  readonly level: string;
  readonly filename: string;
  readonly arguments: readonly unknown[];
}
