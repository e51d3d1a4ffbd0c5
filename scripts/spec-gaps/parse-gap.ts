import { toString } from 'mdast-util-to-string';

import type { Gap, GapId, GapStatus, Paragraph } from '../../src/contract/spec-gaps.ts';
import type { MarkdownReader } from './markdown-reader.ts';
import { parseItem } from './parse-item.ts';
import { parsePlace } from './parse-place.ts';
import { parseProse } from './parse-prose.ts';
import { sectionTitles } from './section-titles.ts';

/** One of the nine sections, from its heading to the next. */
export function parseGap(reader: MarkdownReader, id: GapId, number: number): Gap {
  const title = sectionTitles[id];
  const where = `in section ${number}`;
  reader.heading(2, `${number}. ${title}`, 'of the specification');

  reader.heading(3, 'Status', where);
  const status = parseStatus(reader, where);

  reader.heading(3, 'Known', where);
  const known = parseProse(reader, `below "Known" ${where}`);

  reader.heading(3, 'To be answered', where);
  const questions = status === 'open' ? parseQuestions(reader, where) : parseNothing(reader, where);

  reader.heading(3, 'Meanwhile', where);
  const meanwhile = parseProse(reader, `below "Meanwhile" ${where}`);

  reader.heading(3, 'Where it goes', where);
  const items = reader.list('bulleted', `a bulleted list of paths below "Where it goes" ${where}`);
  const places = items.map((item) => parsePlace(reader, item, where));

  return { id, number, title, status, known, questions, meanwhile, places };
}

function parseStatus(reader: MarkdownReader, where: string): GapStatus {
  const expected = `the status "open" or "specified" ${where}`;
  const paragraph = reader.paragraph(expected);
  const status = toString(paragraph);
  if (status === 'open' || status === 'specified') return status;
  return reader.fail(expected, paragraph, `"${status}"`);
}

function parseQuestions(reader: MarkdownReader, where: string): readonly Paragraph[] {
  const items = reader.list('numbered', `a numbered list of questions ${where}, whose status is "open"`);
  return items.map((item) => parseItem(reader, item, `a question ${where}`));
}

function parseNothing(reader: MarkdownReader, where: string): readonly Paragraph[] {
  const expected = `"Nothing." below "To be answered" ${where}, whose status is "specified"`;
  const paragraph = reader.paragraph(expected);
  const text = toString(paragraph);
  if (text !== 'Nothing.') reader.fail(expected, paragraph, `"${text}"`);
  return [];
}
