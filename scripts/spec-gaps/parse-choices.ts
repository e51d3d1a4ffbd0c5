import type { Choice } from '../../src/contract/spec-gaps.ts';
import type { MarkdownListItem } from './markdown-node.ts';
import type { MarkdownReader } from './markdown-reader.ts';
import { parseLabelled } from './parse-labelled.ts';
import { parsePlaces } from './parse-places.ts';

/** The section on what had to be chosen: an introduction, then a list of choices. */
export function parseChoices(reader: MarkdownReader): readonly Choice[] {
  reader.paragraph('an introduction to the choices');
  const items = reader.list('bulleted', 'a bulleted list of choices');
  return items.map((item) => parseChoice(reader, item));
}

function parseChoice(reader: MarkdownReader, item: MarkdownListItem): Choice {
  const { label, text } = parseLabelled(
    reader,
    item,
    'strong',
    'a name in bold, a colon and what was chosen',
  );

  const [, list, more] = item.children;
  const expected = `a list with the one place where "${label}" is changed`;
  if (list?.type !== 'list') return reader.fail(expected, list ?? item, list ? undefined : 'none');
  if (more !== undefined) reader.fail(`nothing after the place where "${label}" is changed`, more);

  const [place, second] = parsePlaces(reader, list.children, `where "${label}" is changed`);
  if (place === undefined || second !== undefined)
    return reader.fail(expected, list, `${list.children.length} places`);
  return { name: label, text, place };
}
