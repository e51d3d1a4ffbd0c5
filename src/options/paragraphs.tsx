import type { Paragraph } from '../contract/spec-gaps.ts';
import { paragraphText } from './paragraph-text.ts';
import { Prose } from './prose.tsx';

/** Paragraphs, one below the other. */
export function Paragraphs({ texts }: { readonly texts: readonly Paragraph[] }) {
  return texts.map((text) => (
    <p key={paragraphText(text)}>
      <Prose text={text} />
    </p>
  ));
}
