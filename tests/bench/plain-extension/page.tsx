import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

// These lines follow Vite's template for React.
const container = document.getElementById('root');
if (container !== null) {
  createRoot(container).render(
    <StrictMode>
      <PlainPopup />
    </StrictMode>,
  );
}

/** A popup with similar markup, made only with Vite and React, that asks the worker for the theme, as the popup does. */
function PlainPopup() {
  const [theme, setTheme] = useState<string>();

  useEffect(() => {
    void ask().then(setTheme);
  }, []);

  useEffect(() => {
    if (theme === undefined) return;
    document.documentElement.dataset['theme'] = theme;
    performance.mark('first-answer');
  }, [theme]);

  return (
    <main className="popup">
      <header className="wrap muted header">
        <h1 className="name">Plain</h1>
        <a className="target" href="#options">
          Options
        </a>
      </header>
      <p className="muted">This product is not specified yet. Its questions are answered in a file.</p>
      <p className="status">
        <a className="button" data-primary="true" href="#start">
          Start here
        </a>
      </p>
      <nav aria-label="Points">
        <ol>
          {[1, 2, 3, 4, 5, 6, 7, 8, 9].map((point) => (
            <li key={point}>
              <a href="#point">
                <span className="number">{point}</span> <span>Business constants and limits</span>{' '}
                <span>0/7</span>
              </a>
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
