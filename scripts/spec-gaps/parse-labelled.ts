import { toString } from 'mdast-util-to-string';

import type { Paragraph } from '../../src/contract/spec-gaps.ts';
import type { MarkdownListItem, MarkdownSpan } from './markdown-node.ts';
import type { MarkdownReader } from './markdown-reader.ts';
import { parseParagraph } from './parse-paragraph.ts';

interface Labelled {
  readonly label: string;
  readonly text: Paragraph;
}

/** A list item's first paragraph, in the form `label: text`, where the label is code or bold. */
export function parseLabelled(
  reader: MarkdownReader,
  item: MarkdownListItem,
  kind: 'inlineCode' | 'strong',
  expected: string,
): Labelled {
  const [paragraph] = item.children;
  if (paragraph?.type !== 'paragraph') return reader.fail(expected, paragraph ?? item);

  const [label, ...rest] = paragraph.children;
  if (label?.type !== kind) return reader.fail(expected, label ?? paragraph);

  return { label: toString(label), text: parseParagraph(reader, afterColon(reader, rest, label, expected)) };
}

function afterColon(
  reader: MarkdownReader,
  [first, ...rest]: readonly MarkdownSpan[],
  label: MarkdownSpan,
  expected: string,
): readonly MarkdownSpan[] {
  if (first?.type !== 'text' || !first.value.startsWith(':')) {
    return reader.fail(expected, first ?? label, 'no colon after the label');
  }

  const value = first.value.slice(1).trimStart();
  if (value === '' && rest.length === 0) return reader.fail(expected, first, 'nothing after the colon');
  return value === '' ? rest : [{ ...first, value }, ...rest];
}
