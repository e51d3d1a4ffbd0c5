import { StrictMode, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';

import { points } from '../../../SPEC_GAPS.md?points';

// What Vite's own template does with a page.
const container = document.getElementById('root');
if (container !== null) {
  createRoot(container).render(
    <StrictMode>
      <PlainPopup />
    </StrictMode>,
  );
}

/** The popup's markup as Vite and React lead to it, with one question to the worker. */
function PlainPopup() {
  const [specified, setSpecified] = useState<number>();

  useEffect(() => {
    void ask().then(setSpecified);
  }, []);

  useEffect(() => {
    if (specified !== undefined) performance.mark('first-data');
  }, [specified]);

  return (
    <main className="popup">
      <header className="wrap muted header">
        <h1 className="name">Plain</h1>
        <a className="target" href="#options">
          Options
        </a>
      </header>
      <div className="summary">
        <p role="status">{specified === undefined ? 'Asking …' : `${specified} questions answered`}</p>
      </div>
      <nav aria-label="Points">
        <ol className="tiles">
          {points.map(({ id, number, title }) => (
            <li key={id}>
              <a href={`#${id}`} className="cell tile">
                <span className="number">{number}</span> <span className="title">{title}</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <footer className="footer">
        <span role="status">{specified === undefined ? 'Connecting …' : 'Awake'}</span>
      </footer>
    </main>
  );
}

async function ask(): Promise<number> {
  const answer: unknown = await chrome.runtime.sendMessage({});
  return (answer as { readonly specified: number }).specified;
}
