/*
 * Runs in Firefox's own window (`browser.xhtml`), which can use the browser's internals. It does the work for which
 * WebDriver BiDi has no command. Tested with Firefox 153. It is JavaScript, because these internals have no types.
 */
globalThis.extensionDriver = (() => {
  const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  );
  const extensionOf = (id) => WebExtensionPolicy.getByID(id).extension;
  const buttonOf = (id) => ExtensionParent.apiManager.global.browserActionFor(extensionOf(id));
  const written = [];

  /** Opens the extension's popup. Resolves to the id that BiDi commands use for it. */
  async function openPopup(id) {
    // Like a click, this grants `activeTab`.
    await buttonOf(id).openPopup(window, false);
    // Firefox loads the popup in a hidden browser and moves it into the panel when the panel opens.
    let popup = null;
    for (let attempt = 0; attempt < 1_000 && !popup; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      popup = document.querySelector('panel[panelopen] .webextension-popup-browser');
    }
    if (!popup) throw new Error('The popup did not open');

    // BiDi supports only tabs (https://bugzilla.mozilla.org/show_bug.cgi?id=1755014 excludes extensions). If its table
    // contains the popup's browser, evaluation, input events and screenshots work there as in a tab.
    const contextId = crypto.randomUUID();
    const { getBrowserById, getIdForBrowsingContext } = NavigableManager;
    NavigableManager.getBrowserById = (browserId) =>
      browserId === contextId && popup.isConnected ? popup : getBrowserById.call(NavigableManager, browserId);
    NavigableManager.getIdForBrowsingContext = (browsingContext) =>
      popup.isConnected && browsingContext === popup.browsingContext
        ? contextId
        : getIdForBrowsingContext.call(NavigableManager, browsingContext);
    return contextId;
  }

  /**
   * Firefox's BiDi has no log events for extensions. The window's error console gets exceptions and policy violations of
   * every process. Calls of `console.*` stay in the extension's process, so a process script forwards them. Neither way
   * keeps the event page awake.
   */
  function collectConsole() {
    Services.console.registerListener({
      observe(message) {
        // The list also holds messages of other kinds.
        if (!(message instanceof Ci.nsIScriptError)) return;
        const { sourceName: source, errorMessage: text, flags } = message;
        if (!source.startsWith('moz-extension://') || flags & Ci.nsIScriptError.infoFlag) return;
        // Firefox logs this when an event page is stopped during a call of the API, which tests do on purpose.
        if (/^Promise (?:resolved|rejected) after context unloaded/.test(text)) return;
        // A stopped event page gets a message that was under way, and cannot set a timer any more.
        if (text.startsWith('NS_ERROR_NOT_INITIALIZED')) return;
        const level = flags & Ci.nsIScriptError.warningFlag ? 'warning' : 'error';
        written.push({ level, text, source });
      },
    });
    Services.ppmm.addMessageListener('extension-console', ({ data }) => written.push(data));
    const script = encodeURIComponent(`(${forwardConsoleCalls.toString()})();`);
    Services.ppmm.loadProcessScript(`data:application/javascript,${script}`, true);
  }

  /** Runs in every process, with the browser's rights. It must not refer to anything above. */
  function forwardConsoleCalls() {
    const storage = Cc['@mozilla.org/consoleAPI-storage;1'].getService(Ci.nsIConsoleAPIStorage);
    const principal = Cc['@mozilla.org/systemprincipal;1'].createInstance(Ci.nsIPrincipal);
    const describe = (value) => {
      const isPlain = typeof value === 'object' && value !== null && !('stack' in value);
      return isPlain ? JSON.stringify(value) : String(value);
    };
    storage.addLogEventListener(({ wrappedJSObject: call }) => {
      if (!call.addonId || !['warn', 'error', 'assert'].includes(call.level)) return;
      const level = call.level === 'warn' ? 'warning' : 'error';
      const text = call.arguments.map(describe).join(' ');
      sendAsyncMessage('extension-console', { level, text, source: call.filename });
    }, principal);
  }

  collectConsole();

  return {
    /** Returns `moz-extension://<uuid>` of an extension. Firefox generates the UUID and keeps it in the profile. */
    originOf(id) {
      // Saved at once, because the browser may be killed.
      Services.prefs.savePrefFile(null);
      return `moz-extension://${WebExtensionPolicy.getByID(id).mozExtensionHostname}`;
    },
    /** Gives extensions that are installed from now on new origins, which have no stored data. */
    forgetOrigins: () => Services.prefs.clearUserPref('extensions.webextensions.uuids'),
    async allowPrivateWindows(id) {
      const { ExtensionPermissions } = ChromeUtils.importESModule(
        'resource://gre/modules/ExtensionPermissions.sys.mjs',
      );
      const allowed = { permissions: ['internal:privateBrowsingAllowed'], origins: [] };
      await ExtensionPermissions.add(id, allowed);
      await (await AddonManager.getAddonByID(id)).reload();
    },
    disable: async (id) => (await AddonManager.getAddonByID(id)).disable(),
    enable: async (id) => (await AddonManager.getAddonByID(id)).enable(),
    /** Moves the extension's button into the toolbar. Otherwise it is hidden in the menu of extensions. */
    pinAction: (id) => CustomizableUI.addWidgetToArea(buttonOf(id).id, CustomizableUI.AREA_NAVBAR),
    openPopup,
    closePopup: () => document.querySelector('.webextension-popup-browser')?.closest('panel').hidePopup(),
    clickMenuItem(id, info) {
      const whole = { editable: false, modifiers: [], ...info };
      extensionOf(id).emit('webext-menu-menuitem-click', whole, gBrowser.selectedTab);
    },
    /** Returns `starting`, `running`, `suspending` or `stopped`. */
    backgroundState: (id) => extensionOf(id).backgroundState,
    /** Stops the event page. Resolves when it has stopped. */
    stopBackground: (id) =>
      extensionOf(id).terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true }),
    /** Resolves when the event page runs again, with the script that its folder has now. */
    async restartBackground(id) {
      await this.stopBackground(id);
      await extensionOf(id).wakeupBackground();
    },
    // https://bugzilla.mozilla.org/show_bug.cgi?id=1864284
    allowsLocalServer: () =>
      Services.prefs
        .getStringPref('extensions.webextensions.base-content-security-policy.v3-with-localhost', '')
        .includes('http://localhost:'),
    interruptNetwork() {
      for (const isOffline of [true, false]) Services.io.offline = isOffline;
    },
    readConsole: (origin) => written.filter(({ source }) => source.startsWith(`${origin}/`)),
    /** Emulates media features as the developer tools do, because BiDi has no command for it. */
    overrideMedia(context, { colorScheme, reducedMotion, forcedColors }) {
      const { browsingContext } = NavigableManager.getBrowserById(context);
      if (colorScheme !== undefined) browsingContext.prefersColorSchemeOverride = colorScheme;
      if (reducedMotion !== undefined) {
        browsingContext.prefersReducedMotionOverride = reducedMotion ? 'reduce' : 'no-preference';
      }
      if (forcedColors !== undefined) browsingContext.forcedColorsOverride = forcedColors ? 'active' : 'none';
    },
  };
})();
