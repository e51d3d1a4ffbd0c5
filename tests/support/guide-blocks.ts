import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

/** A block of code in a guide that says, behind its language, which file it goes into. */
export interface GuideBlock {
  /** From the top of the project. */
  readonly path: string;
  /** Lines to add to a file and to take out of it, or the whole of a new file. */
  readonly kind: 'change' | 'file';
  readonly text: string;
  /** Title of the section in which it stands. */
  readonly section: string;
  /** What was said since the last heading. */
  readonly said: string;
}

/** The blocks of a guide that have a file to go into, in their order. */
export function guideBlocks(markdown: string): readonly GuideBlock[] {
  const blocks: GuideBlock[] = [];
  let section = '';
  let said = '';
  for (const node of fromMarkdown(markdown).children) {
    if (node.type === 'heading') {
      section = toString(node);
      said = '';
    } else if (node.type === 'code' && node.meta) {
      const kind = node.lang === 'diff' ? 'change' : 'file';
      blocks.push({ path: node.meta, kind, text: node.value, section, said });
    } else {
      said += `${toString(node)}\n`;
    }
  }
  return blocks;
}
