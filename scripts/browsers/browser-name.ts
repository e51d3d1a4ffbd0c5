/** The two browsers the extension is built for; also Vite's mode and the name of the build's folder in `dist/`. */
export type BrowserName = 'chromium' | 'firefox';

export const browserNames: readonly BrowserName[] = ['chromium', 'firefox'];
