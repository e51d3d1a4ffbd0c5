/** Makes `import.meta.env` have only the members that are declared here and by Vite. */
interface ViteTypeOptions {
  strictImportMetaEnv: unknown;
}

/** Variables that the build gives the code. docs/settings.md explains it. Declare the variables of `.env` here. */
interface ImportMetaEnv {
  /** The commit of the build. It is empty in packages, and missing in `npm start` and tests. */
  readonly COMMIT?: string;
  /** All styles that a content script imports, for its shadow root. It is empty in pages and tests. */
  readonly STYLES: string;
}
