import type { ReactNode } from 'react';

import styles from './section.module.css';

/** A part of a view: its heading in the margin, its content beside it. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles['section']}>
      <h2 className={styles['title']}>{title}</h2>
      <div className={styles['content']}>{children}</div>
    </section>
  );
}
