import { type ReactNode, useEffect } from 'react';

import { useTranslate } from './extension.ts';
import type { PlainKey } from './text.ts';
import styles from './view.module.css';

/**
 * Heading of a view, which can get the focus when the view opens. It is also the title of the tab.
 *
 * @param props.name name of the message with the text
 */
export function ViewHeading({ name }: { readonly name: PlainKey }) {
  const t = useTranslate();
  const title = t(name);
  const pageTitle = t('options_title', { view: title, extension: t('extension_name') });

  useEffect(() => {
    document.title = pageTitle;
  }, [pageTitle]);

  return (
    <div className={styles['heading']}>
      <h1 tabIndex={-1}>{title}</h1>
    </div>
  );
}

/** Part of a view, with its heading in the margin and its content next to it. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles['section']}>
      <h2>{title}</h2>
      <Content>{children}</Content>
    </section>
  );
}

/** Limits text to a readable width, and puts space between its paragraphs. */
export function Content({ children }: { readonly children: ReactNode }) {
  return <div className={styles['content']}>{children}</div>;
}

interface SaveFileOptions {
  readonly name: string;
  readonly text: string;
  /** MIME type, such as `text/markdown`. */
  readonly type: string;
}

/** Saves a text as a download, which needs no permission. */
export function saveFile({ name, text, type }: SaveFileOptions): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // A minute is long enough for the browser to start the download.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Returns a function that saves JSON text as a file. It returns the file's name, which begins with the extension's name. */
export function useSaveJson(): (what: string, text: string) => string {
  const t = useTranslate();
  return (what, text) => {
    const extension = t('extension_name')
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, '-');
    const name = `${extension}-${what}-${formatDay(new Date())}.json`;
    saveFile({ name, text, type: 'application/json' });
    return name;
  };
}

/** Formats a day as in `2026-01-09`, in the person's time zone. `toISOString` would use UTC. */
function formatDay(date: Date): string {
  const parts = [date.getFullYear(), date.getMonth() + 1, date.getDate()];
  return parts.map((part) => String(part).padStart(2, '0')).join('-');
}
