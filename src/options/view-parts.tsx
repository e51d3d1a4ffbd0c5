import { createElement, Fragment, type ReactNode, useEffect } from 'react';

import type { Inline } from '../contract/spec-gaps.ts';
import { useTranslate } from '../ui/extension.ts';
import styles from './options.module.css';

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
      <h1 tabIndex={-1}>{title}</h1>
    </div>
  );
}

/** A part of a view: its heading in the margin, its content next to it. */
export function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={styles['section']}>
      <h2>{title}</h2>
      <div className={styles['content']}>{children}</div>
    </section>
  );
}

/** Text with code, stressed words and links in it; a link shows its address. It never changes, so it needs no keys. */
export function Prose({ text }: { readonly text: readonly Inline[] }) {
  return createElement(Fragment, null, ...text.map((run) => renderRun(run)));
}

function renderRun(run: Inline): ReactNode {
  if (typeof run === 'string') return run;
  if ('code' in run) return <code>{run.code}</code>;
  if ('emphasis' in run) return <strong>{run.emphasis}</strong>;
  const { text, address } = run;
  if (text === address || `mailto:${text}` === address) return <code>{text}</code>;
  return (
    <>
      {text} <code>{address}</code>
    </>
  );
}

/** Lets the browser save a text as a file: a download, which needs no permission. */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  Object.assign(document.createElement('a'), { href: url, download: name }).click();
  // By then the browser has opened it.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

/** Lets the browser save a value as a JSON file. Returns the name of the file. */
export function saveJson(what: string, value: unknown): string {
  return saveJsonText(what, `${JSON.stringify(value, undefined, 2)}\n`);
}

/** Lets the browser save JSON text as a file. Returns the name of the file. */
export function saveJsonText(what: string, text: string): string {
  const now = new Date();
  // In the person's own time zone, which `toISOString` is not.
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  const name = `nine-points-${what}-${today}.json`;
  saveFile(name, text, 'application/json');
  return name;
}
