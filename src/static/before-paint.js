/*
 * Runs in the options page before its first paint, so that it does not jump from one theme or language to another.
 * A module would come too late.
 */
(() => {
  const root = document.documentElement;
  const { i18n } = globalThis.browser ?? globalThis.chrome ?? {};

  // `src/ui/page.tsx` saves the theme.
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
})();
