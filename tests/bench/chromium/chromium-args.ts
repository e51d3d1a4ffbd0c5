/** For a Chromium that does nothing of its own while it is measured. */
export function chromiumArgs(profile: string): string[] {
  return [
    ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
    `--user-data-dir=${profile}`,
    '--headless=new',
    '--disable-gpu',
    '--disable-background-networking',
    '--disable-component-update',
    '--disable-quic',
    '--disable-sync',
    '--no-first-run',
    '--enable-unsafe-extension-debugging',
    '--enable-benchmarking-api',
    // Every new window would load the pages of its own address bar beside the page that is measured.
    '--disable-features=WebUIOmniboxPopup,WebUIOmniboxFullPopup,WebUIOmniboxAimPopup',
    // Both extensions' pages are to be treated as the one in front is.
    '--disable-background-timer-throttling',
    '--disable-backgrounding-occluded-windows',
    '--disable-renderer-backgrounding',
    // No narrower window is to be had, and a page may be painted before a new one has got another size than this.
    '--window-size=500,700',
    'about:blank',
  ];
}
