import type { Choice } from '../../src/contract/spec-gaps.ts';
import type { MarkdownListItem } from './markdown-node.ts';
import type { MarkdownReader } from './markdown-reader.ts';
import { parseLabelled } from './parse-labelled.ts';
import { parsePlace } from './parse-place.ts';

/** The section on what had to be chosen: an introduction, then a list of choices. */
export function parseChoices(reader: MarkdownReader): readonly Choice[] {
  reader.paragraph('an introduction to the choices');
  const items = reader.list('bulleted', 'a bulleted list of choices');
  return items.map((item) => parseChoice(reader, item));
}

function parseChoice(reader: MarkdownReader, item: MarkdownListItem): Choice {
  const { label: name, text } = parseLabelled(
    reader,
    item,
    'strong',
    'a name in bold, a colon and the choice',
  );

  const expected = `a list with the one place where "${name}" is changed`;
  const [, list, more] = item.children;
  if (list === undefined) return reader.fail(expected, item, 'none');
  if (list.type !== 'list') return reader.fail(expected, list);
  if (more !== undefined) reader.fail(`nothing after the place where "${name}" is changed`, more);

  const [only, second] = list.children;
  if (only === undefined || second !== undefined)
    return reader.fail(expected, second ?? list, 'a second place');
  return { name, text, place: parsePlace(reader, only, `where "${name}" is changed`) };
}
