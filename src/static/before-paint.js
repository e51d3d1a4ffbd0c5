/*
 * Runs in every page before the first paint, so that the theme and the language do not change after it. A module would
 * run too late.
 */
(() => {
  const root = document.documentElement;
  const { i18n } = globalThis.browser ?? globalThis.chrome ?? {};

  // `src/features/preferences/theme.tsx` saves the theme.
  try {
    root.dataset.theme = localStorage.getItem('theme') ?? 'system';
  } catch {
    // The page starts in the system's theme.
  }

  // The build has rendered English text. For another language, it is hidden until the page has rendered its own text.
  const language = i18n?.getMessage('text_language');
  if (language && language !== root.lang) {
    root.dataset.text = 'foreign';
    document.title = i18n.getMessage('extension_name');
  }
})();
