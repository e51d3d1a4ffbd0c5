import type { Place } from '../../src/contract/spec-gaps.ts';
import type { MarkdownListItem } from './markdown-node.ts';
import type { MarkdownReader } from './markdown-reader.ts';
import { parseLabelled } from './parse-labelled.ts';

/** A list of paths, each with what goes there. Whether a path exists is for a test to say. */
export function parsePlaces(
  reader: MarkdownReader,
  items: readonly MarkdownListItem[],
  where: string,
): readonly Place[] {
  return items.map((item) => {
    const expected = `a path as code, a colon and what goes there ${where}`;
    const { label, text } = parseLabelled(reader, item, 'inlineCode', expected);
    const more = item.children[1];
    if (more !== undefined) reader.fail(`one paragraph for each place ${where}`, more);
    return { path: label, text };
  });
}
