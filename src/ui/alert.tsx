import type { ReactNode } from 'react';

import styles from './alert.module.css';

interface AlertProps {
  readonly className?: string | undefined;
  /** Nothing, while there is nothing to say. */
  readonly children: ReactNode;
}

/**
 * Says at once what has gone wrong. To be there before that: what every screen reader reads out is a change of a region
 * that it knows. An alert it is only while it says something.
 */
export function Alert({ className, children }: AlertProps) {
  const isSaying = Boolean(children);
  return (
    <div
      role={isSaying ? 'alert' : undefined}
      aria-live="assertive"
      aria-atomic="true"
      className={isSaying ? className : styles['quiet']}
    >
      {children}
    </div>
  );
}
