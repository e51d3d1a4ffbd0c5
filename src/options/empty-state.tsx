import type { ReactNode } from 'react';

import { gapIds } from '../contract/spec-gaps.ts';
import styles from './empty-state.module.css';

/** In place of what is not there: the grid with nothing in it, and what that means. */
export function EmptyState({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles['empty']}>
      <span aria-hidden="true" className={styles['grid']}>
        {gapIds.map((id) => (
          <span key={id} className={styles['cell']} />
        ))}
      </span>
      <p role="status">{children}</p>
    </div>
  );
}
