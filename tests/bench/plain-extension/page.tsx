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

/** A popup with similar markup, made only with Vite and React, that asks the worker once. */
function PlainPopup() {
  const [answer, setAnswer] = useState<number>();

  useEffect(() => {
    void ask().then(setAnswer);
  }, []);

  useEffect(() => {
    if (answer !== undefined) performance.mark('first-data');
  }, [answer]);

  return (
    <main className="popup">
      <header className="wrap muted header">
        <h1 className="name">Plain</h1>
        <a className="target" href="#options">
          Options
        </a>
      </header>
      <p role="status">{answer === undefined ? 'Asking …' : `The answer is ${answer}`}</p>
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
        <span role="status">{answer === undefined ? 'Connecting …' : 'Awake'}</span>
      </footer>
    </main>
  );
}

async function ask(): Promise<number> {
  return Number(await chrome.runtime.sendMessage({}));
}
