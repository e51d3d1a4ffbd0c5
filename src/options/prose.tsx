import { createElement, Fragment } from 'react';

import type { Paragraph } from '../contract/spec-gaps.ts';

/**
 * The runs of a paragraph: text, and code set apart from it. Given one by one, as they never change, they need no keys.
 */
export function Prose({ text }: { readonly text: Paragraph }) {
  const runs = text.map((run) => (typeof run === 'string' ? run : createElement('code', null, run.code)));
  return createElement(Fragment, null, ...runs);
}
