/** The extension's own pages: the only callers there are. Paths within the extension, as in manifest.json. */
export const pages = {
  popup: 'src/popup/index.html',
  options: 'src/options/index.html',
} as const;

export type Page = keyof typeof pages;

/** The language of the text that the build renders into the pages. */
export const builtLanguage = 'en';
