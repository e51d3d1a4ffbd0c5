/*
 * Runs in Firefox's own window (`browser.xhtml`), where the browser's internals are at hand: what WebDriver BiDi has no
 * command for is done here. Tried on Firefox 153. Not TypeScript, as nobody publishes types of these internals.
 */
globalThis.extensionDriver = (() => {
  const { ExtensionParent } = ChromeUtils.importESModule('resource://gre/modules/ExtensionParent.sys.mjs');
  const { NavigableManager } = ChromeUtils.importESModule(
    'chrome://remote/content/shared/NavigableManager.sys.mjs',
  );
  const extensionOf = (id) => WebExtensionPolicy.getByID(id).extension;
  const buttonOf = (id) => ExtensionParent.apiManager.global.browserActionFor(extensionOf(id));
  const written = [];

  /** Opens the extension's popup. Resolves with the id by which BiDi commands reach it. */
  async function openPopup(id) {
    // As a click does: it grants `activeTab`.
    await buttonOf(id).openPopup(window, false);
    // Firefox loads the popup out of sight and swaps it into the panel as that opens.
    let popup = null;
    for (let attempt = 0; attempt < 1_000 && !popup; attempt += 1) {
      await new Promise((resolve) => setTimeout(resolve, 25));
      popup = document.querySelector('panel[panelopen] .webextension-popup-browser');
    }
    if (!popup) throw new Error('The popup did not open');

    // BiDi addresses tabs only (https://bugzilla.mozilla.org/show_bug.cgi?id=1755014 keeps extensions out). Entering
    // the popup's browser into its table makes evaluation, input events and screenshots work there as in a tab.
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
   * Firefox's BiDi has no log events for extensions. Exceptions and policy violations of every process reach the window's
   * error console; calls of `console.*` stay in the extension's process, where a process script hands them over. Neither
   * of them holds the event page awake.
   */
  function collectConsole() {
    Services.console.registerListener({
      observe(message) {
        // The list also holds messages of other kinds.
        if (!(message instanceof Ci.nsIScriptError)) return;
        const { sourceName: source, errorMessage: text, flags } = message;
        if (!source.startsWith('moz-extension://') || flags & Ci.nsIScriptError.infoFlag) return;
        // Firefox's own remark on an event page that was ended during a call of the API, as tests do on purpose.
        if (/^Promise (?:resolved|rejected) after context unloaded/.test(text)) return;
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
    /** `moz-extension://<uuid>` of an installed extension, which Firefox makes up and keeps for the profile. */
    originOf(id) {
      // At once: the browser may be killed.
      Services.prefs.savePrefFile(null);
      return `moz-extension://${WebExtensionPolicy.getByID(id).mozExtensionHostname}`;
    },
    /** Extensions that are installed from now on have new origins, under which nothing is stored. */
    forgetOrigins: () => Services.prefs.clearUserPref('extensions.webextensions.uuids'),
    /** Puts the extension's button where the person finds it at once; otherwise it hides behind the one of all extensions. */
    pinAction: (id) => CustomizableUI.addWidgetToArea(buttonOf(id).id, CustomizableUI.AREA_NAVBAR),
    openPopup,
    closePopup: () => document.querySelector('.webextension-popup-browser')?.closest('panel').hidePopup(),
    clickMenuItem(id, info) {
      const whole = { editable: false, modifiers: [], ...info };
      extensionOf(id).emit('webext-menu-menuitem-click', whole, gBrowser.selectedTab);
    },
    /** `starting`, `running`, `suspending` or `stopped`. */
    backgroundState: (id) => extensionOf(id).backgroundState,
    /** Resolves when the event page is gone. */
    stopBackground: (id) =>
      extensionOf(id).terminateBackground({ ignoreDevToolsAttached: true, disableResetIdleForTest: true }),
    readConsole: (origin) => written.filter(({ source }) => source.startsWith(`${origin}/`)),
    /** BiDi has no command for this; the developer tools do it this way. */
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
