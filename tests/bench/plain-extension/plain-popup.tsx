import { useEffect, useState } from 'react';

import { points } from '../../../SPEC_GAPS.md';
import styles from '../../../src/popup/popup.module.css';
import grid from '../../../src/popup/point-tiles.module.css';

/** The popup's markup as anybody would write it, with one question to the worker. */
export function PlainPopup() {
  const [specified, setSpecified] = useState<number>();

  useEffect(() => {
    void ask().then(setSpecified);
  }, []);

  useEffect(() => {
    if (specified !== undefined) performance.mark('first-data');
  }, [specified]);

  return (
    <main className={styles['popup']}>
      <header className={styles['header']}>
        <h1 className={styles['name']}>Plain</h1>
        <a className={styles['options']} href="#options">
          Options
        </a>
      </header>
      <div className={styles['summary']}>
        <p role="status">{specified === undefined ? 'Asking …' : `${specified} of 9 points specified`}</p>
      </div>
      <nav aria-label="Points">
        <ol className={grid['grid']}>
          {points.map(({ id, number, title, status }) => (
            <li key={id} className={grid['place']}>
              <a href={`#${id}`} className={grid['cell']} data-status={status}>
                <span className={grid['number']}>{number}</span>{' '}
                <span className={grid['title']}>{title}</span>
              </a>
            </li>
          ))}
        </ol>
      </nav>
      <footer className={styles['footer']}>
        <span role="status">{specified === undefined ? 'Connecting …' : 'Awake'}</span>
      </footer>
    </main>
  );
}

async function ask(): Promise<number> {
  const answer: unknown = await chrome.runtime.sendMessage({ ask: 'specified' });
  return (answer as { readonly specified: number }).specified;
}
