import { createElement, Fragment, type ReactNode } from 'react';

import type { Inline } from './spec-gaps.ts';

/** Renders text with code, emphasis and links with addresses. It never changes, so its parts need no keys. */
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
