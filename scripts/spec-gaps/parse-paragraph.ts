import type { Inline, Paragraph } from '../../src/contract/spec-gaps.ts';
import type { MarkdownSpan } from './markdown-node.ts';
import type { MarkdownReader } from './markdown-reader.ts';

/** Prose as the pages can show it without HTML: text and code. Any other markup is an error at its place. */
export function parseParagraph(reader: MarkdownReader, spans: readonly MarkdownSpan[]): Paragraph {
  return spans.map((span): Inline => {
    if (span.type === 'text') return joinLines(span.value);
    if (span.type === 'inlineCode') return { code: joinLines(span.value) };
    return reader.fail('plain text or code', span);
  });
}

/** Where a line of the file ends means nothing in Markdown. */
function joinLines(text: string): string {
  return text.split(/\s*\n\s*/u).join(' ');
}
