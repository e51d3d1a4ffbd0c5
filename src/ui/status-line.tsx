import type { ReactNode } from 'react';

import styles from './status-line.module.css';

interface StatusLineProps {
  /** A cell of the grid in small: `open` while nothing is known, `solid` while all is well, `hollow` at rest. */
  readonly mark?: 'open' | 'solid' | 'hollow' | undefined;
  /** Nothing while there is something else to say: the line stays, to be read out when it fills again. */
  readonly children?: ReactNode;
  /** What changes too often to be read out each time. */
  readonly aside?: ReactNode;
}

/** A state in one line, read out when it changes. */
export function StatusLine({ mark, children, aside }: StatusLineProps) {
  return (
    <div className={styles['line']}>
      {mark && <span className={styles['mark']} data-mark={mark} />}
      <span role="status" className={styles['text']}>
        {children}
      </span>
      {aside}
    </div>
  );
}
