/**
 * The parts of Firefox's internals that the functions for its chrome scope use. They are globals of
 * `browser.xhtml`; a function that runs there imports this file's types only.
 */
export interface FirefoxWindow {
  readonly ChromeUtils: {
    importESModule(url: 'resource://gre/modules/ExtensionParent.sys.mjs'): {
      ExtensionParent: ExtensionParent;
    };
    importESModule(url: 'chrome://remote/content/shared/NavigableManager.sys.mjs'): {
      NavigableManager: NavigableManager;
    };
  };
  readonly CustomizableUI: {
    readonly AREA_NAVBAR: string;
    addWidgetToArea(widget: string, area: string): void;
  };
  readonly Services: FirefoxServices;
  readonly Cc: {
    readonly '@mozilla.org/consoleAPI-storage;1': { getService(type: unknown): ConsoleStorage };
    readonly '@mozilla.org/systemprincipal;1': { createInstance(type: unknown): unknown };
  };
  readonly Ci: {
    readonly nsIConsoleAPIStorage: unknown;
    readonly nsIPrincipal: unknown;
    readonly nsIScriptError: (new () => ScriptError) & {
      readonly warningFlag: number;
      readonly infoFlag: number;
    };
  };
  readonly windowUtils: {
    startCompositionRecording(): void;
    stopCompositionRecording(
      writesToDisk: boolean,
    ): Promise<{ readonly frames: readonly { readonly dataUri: string }[] }>;
  };
  readonly WebExtensionPolicy: { getByID(id: string): ExtensionPolicy | null };
  /** Our own list of what was written to the consoles, see `firefox-console.ts`. */
  extensionConsole?: { level: 'warning' | 'error'; text: string; source: string }[];
}

interface ExtensionPolicy {
  readonly mozExtensionHostname: string;
  readonly extension: {
    readonly backgroundState: 'starting' | 'running' | 'suspending' | 'stopped';
    terminateBackground(options: {
      ignoreDevToolsAttached: boolean;
      disableResetIdleForTest: boolean;
    }): Promise<void>;
  };
}

interface ExtensionParent {
  readonly apiManager: {
    readonly global: {
      browserActionFor(extension: ExtensionPolicy['extension']): {
        /** Of the toolbar button. */
        readonly id: string;
        openPopup(window: Window, openPopupWithoutUserInteraction: boolean): Promise<void>;
      };
    };
  };
}

interface NavigableManager {
  getBrowserById: (this: NavigableManager, id: string) => XulBrowser | null;
  getIdForBrowsingContext: (this: NavigableManager, browsingContext: unknown) => string | null;
}

export interface XulBrowser extends Element {
  readonly browsingContext: {
    prefersColorSchemeOverride: 'none' | 'light' | 'dark';
    prefersReducedMotionOverride: 'none' | 'no-preference' | 'reduce';
    forcedColorsOverride: 'none' | 'active';
  };
}

interface FirefoxServices {
  readonly console: { registerListener(listener: { observe(message: unknown): void }): void };
  readonly ppmm: {
    addMessageListener(name: string, listener: (message: { data: ConsoleCall }) => void): void;
    loadProcessScript(url: string, alsoInFutureProcesses: boolean): void;
  };
}

interface ScriptError {
  readonly sourceName: string;
  readonly errorMessage: string;
  readonly flags: number;
}

interface ConsoleStorage {
  addLogEventListener(
    listener: (message: { readonly wrappedJSObject: ConsoleApiCall }) => void,
    principal: unknown,
  ): void;
}

interface ConsoleApiCall {
  readonly addonId: string;
  readonly level: string;
  readonly filename: string;
  readonly arguments: readonly unknown[];
}

export interface ConsoleCall {
  readonly level: string;
  readonly text: string;
  readonly source: string;
}
