import type { Paragraph } from '../../src/contract/spec-gaps.ts';
import type { MarkdownListItem } from './markdown-node.ts';
import type { MarkdownReader } from './markdown-reader.ts';
import { parseParagraph } from './parse-paragraph.ts';

/** A list item that is one paragraph and nothing more. */
export function parseItem(reader: MarkdownReader, item: MarkdownListItem, expected: string): Paragraph {
  const [paragraph, more] = item.children;
  if (paragraph?.type !== 'paragraph') return reader.fail(expected, paragraph ?? item);
  if (more !== undefined) reader.fail(`${expected} in one paragraph`, more);
  return parseParagraph(reader, paragraph.children);
}
