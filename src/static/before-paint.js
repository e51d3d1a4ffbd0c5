/*
 * Runs before the first paint, so that no page jumps from one theme or language to another, and the worker starts while
 * the page does. A module would come too late.
 */
(() => {
  const root = document.documentElement;
  const { i18n, runtime } = globalThis.browser ?? globalThis.chrome ?? {};

  // `src/ui/apply-theme.ts` leaves the note of the theme.
  try {
    root.dataset.theme = localStorage.getItem('theme') ?? 'system';
  } catch {
    // The page starts in the system's theme.
  }

  // The text in the file is English. In another language it stays hidden until the page has rendered itself.
  const language = i18n?.getMessage('text_language');
  if (language && language !== root.lang) {
    root.dataset.text = 'foreign';
    document.title = i18n.getMessage('extension_name');
  }

  // `src/platform/connect-page.ts` takes the port over, unless it was lost by then.
  const port = runtime?.connect();
  port?.onDisconnect.addListener(() => {
    // Chromium complains when nobody looks.
    void runtime.lastError;
    delete globalThis.firstPort;
  });
  globalThis.firstPort = port;
})();
