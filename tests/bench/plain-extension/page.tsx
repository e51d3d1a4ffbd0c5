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

/** A popup with similar markup, made only with Vite and React, that asks the background for the theme, as the popup does. */
function PlainPopup() {
  const [theme, setTheme] = useState<string>();

  useEffect(() => {
    void chrome.runtime.sendMessage({}).then((answer) => setTheme(String(answer)));
  }, []);

  useEffect(() => {
    if (theme === undefined) return;
    document.documentElement.dataset['theme'] = theme;
    performance.mark('first-answer');
  }, [theme]);

  return (
    <main className="popup">
      <h1 className="name">Plain</h1>
      <p className="muted">This product is not specified yet. Its questions are answered in a file.</p>
      <a className="button" data-primary="true" href="#start">
        Start here
      </a>
      <ol>
        {[1, 2, 3, 4, 5, 6, 7, 8, 9].map((point) => (
          <li key={point}>
            <a href="#point">
              <span className="number">{point}</span> <span>Business constants and limits</span>
            </a>
          </li>
        ))}
      </ol>
      <footer className="footer">{theme === undefined ? 'Connecting …' : 'Awake'}</footer>
    </main>
  );
}
