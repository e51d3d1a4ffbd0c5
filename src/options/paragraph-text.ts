import type { Paragraph } from '../contract/spec-gaps.ts';

/** A paragraph as plain text: what tells it from its neighbours. */
export function paragraphText(paragraph: Paragraph): string {
  return paragraph.map((run) => (typeof run === 'string' ? run : run.code)).join('');
}
