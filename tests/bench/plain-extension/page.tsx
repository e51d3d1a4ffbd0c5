import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

declare global {
  /** Texts of the links in the extension's popup. The build replaces this name. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var popupLinks: readonly string[];
}

// These lines follow Vite's template for React.
const container = document.getElementById('root');
if (container !== null) {
  createRoot(container).render(
    <StrictMode>
      <PlainPopup />
    </StrictMode>,
  );
}

/** A popup with similar markup, made only with Vite and React, that asks the worker once for the theme, as the popup does. */
function PlainPopup() {
  const [theme, setTheme] = useState<string>();

  useEffect(() => {
    void ask().then(setTheme);
  }, []);

  useEffect(() => {
    if (theme === undefined) return;
    document.documentElement.dataset['theme'] = theme;
    performance.mark('first-data');
  }, [theme]);

  return (
    <main className="popup">
      <header className="wrap muted header">
        <h1 className="name">Plain</h1>
        <a className="target" href="#options">
          Options
        </a>
      </header>
      <p role="status">{theme === undefined ? 'Asking …' : `The theme is ${theme}`}</p>
      <nav aria-label="Links">
        <ol>
          {popupLinks.map((text) => (
            <li key={text}>
              <a href="#link">{text}</a>
            </li>
          ))}
        </ol>
      </nav>
      <footer className="footer">
        <span role="status">{theme === undefined ? 'Connecting …' : 'Awake'}</span>
      </footer>
    </main>
  );
}

async function ask(): Promise<string> {
  return String(await chrome.runtime.sendMessage({}));
}
