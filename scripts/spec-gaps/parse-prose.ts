import type { Paragraph } from '../../src/contract/spec-gaps.ts';
import type { MarkdownReader } from './markdown-reader.ts';
import { parseParagraph } from './parse-paragraph.ts';

/** At least one paragraph, up to the next heading. */
export function parseProse(reader: MarkdownReader, where: string): readonly Paragraph[] {
  const paragraphs: Paragraph[] = [];
  do {
    paragraphs.push(parseParagraph(reader, reader.paragraph(`a paragraph ${where}`).children));
  } while (!reader.isAtEndOfPart());
  return paragraphs;
}
