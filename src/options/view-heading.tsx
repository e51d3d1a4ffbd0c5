import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

import { useTranslate } from '../ui/use-translate.ts';
import styles from './view-heading.module.css';

interface ViewHeadingProps {
  readonly title: string;
  /** A line above the title. */
  readonly children?: ReactNode;
}

/**
 * The heading of a view. It names the tab and takes the focus when the view was gone to, so that a screen reader reads
 * it and the keyboard goes on from it; not when the page was opened without an address within it.
 */
export function ViewHeading({ title, children }: ViewHeadingProps) {
  const t = useTranslate();
  const heading = useRef<HTMLHeadingElement>(null);
  const pageTitle = t('options_title', { view: title, extension: t('extension_name') });

  useEffect(() => {
    document.title = pageTitle;
  }, [pageTitle]);

  useEffect(() => {
    if (location.hash !== '') heading.current?.focus();
  }, []);

  return (
    <div className={styles['heading']}>
      {children}
      <h1 ref={heading} tabIndex={-1} className={styles['title']}>
        {title}
      </h1>
    </div>
  );
}
