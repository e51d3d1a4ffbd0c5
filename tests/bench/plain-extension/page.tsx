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

const points = [
  'What the product does and for whom',
  'Screens and routes',
  'Entities and their fields',
  'States and transitions',
  'Validation rules',
  'Roles and permissions',
  'The calls it makes',
  'The error catalogue',
  'Business constants and limits',
];

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
          {points.map((title, index) => (
            <li key={title}>
              <a href="#point">
                <span className="number">{index + 1}</span> <span>{title}</span> <span>0/7</span>
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
