import { useEffect } from 'react';
import type { ReactNode } from 'react';

import { useTranslate } from '../ui/use-translate.ts';
import styles from './view-heading.module.css';

interface ViewHeadingProps {
  readonly title: string;
  /** A line above the title. */
  readonly children?: ReactNode;
}

/** The heading of a view. It names the tab, and can take the focus. */
export function ViewHeading({ title, children }: ViewHeadingProps) {
  const t = useTranslate();
  const pageTitle = t('options_title', { view: title, extension: t('extension_name') });

  useEffect(() => {
    document.title = pageTitle;
  }, [pageTitle]);

  return (
    <div className={styles['heading']}>
      {children}
      <h1 tabIndex={-1} className={styles['title']}>
        {title}
      </h1>
    </div>
  );
}
