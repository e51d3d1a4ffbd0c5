/*
 * Runs before the first paint, so that no page shows in the wrong theme or the wrong language and then jumps.
 * A classic script: a module would come too late. `src/ui/apply-theme.ts` leaves the note of the theme.
 */
(() => {
  const root = document.documentElement;
  const { i18n } = globalThis.browser ?? globalThis.chrome ?? {};

  try {
    root.dataset.theme = localStorage.getItem('theme') ?? 'system';
  } catch {
    // Without notes the page starts in the system's theme.
  }

  // The text in the file is English. In another language it stays hidden until the page has rendered itself.
  const language = i18n?.getMessage('text_language');
  if (language && language !== root.lang) {
    root.dataset.text = 'foreign';
    document.title = i18n.getMessage('extension_name');
  }
})();
