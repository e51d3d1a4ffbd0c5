import type { Place } from '../../src/contract/spec-gaps.ts';
import type { MarkdownListItem } from './markdown-node.ts';
import type { MarkdownReader } from './markdown-reader.ts';
import { parseLabelled } from './parse-labelled.ts';

/** A list item with a path and what goes there. Whether the path exists is for a test to say. */
export function parsePlace(reader: MarkdownReader, item: MarkdownListItem, where: string): Place {
  const expected = `a path as code, a colon and what goes there ${where}`;
  const { label, text } = parseLabelled(reader, item, 'inlineCode', expected);
  const more = item.children[1];
  if (more !== undefined) reader.fail(`one paragraph for each place ${where}`, more);
  return { path: label, text };
}
