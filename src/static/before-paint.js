/*
 * Runs in every page before its first paint, so that the page does not change its theme or its language after it. A module
 * would run too late.
 */
(() => {
  const root = document.documentElement;
  // Saved by `src/features/preferences/theme.tsx`.
  try {
    root.dataset.theme = localStorage.getItem('theme') ?? 'system';
  } catch {
    // The page starts in the system's theme.
  }

  // The build has rendered English text. In another language it is hidden until the page has rendered itself. An
  // extension in one language does not ask for it, because the first `getMessage` of a page takes about 12 ms.
  if (!('translated' in root.dataset)) return;
  const { i18n } = globalThis.browser ?? globalThis.chrome ?? {};
  const language = i18n?.getMessage('text_language');
  if (language && language !== root.lang) {
    root.dataset.text = 'foreign';
    document.title = i18n.getMessage('extension_name');
  }
})();
