import { createElement, Fragment, type ReactNode } from 'react';

import type { Inline } from './spec-gaps.ts';

/** Text with code, stressed words and links; a link shows its address. The text never changes, so its parts need no keys. */
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
