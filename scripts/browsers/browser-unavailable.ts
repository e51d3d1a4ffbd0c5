/** No executable of a browser: none is installed and none could be installed, or a path that was set is wrong. */
export class BrowserUnavailable extends Error {
  override readonly name = 'BrowserUnavailable';
}
