import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

import { describeNode } from './describe-node.ts';
import type { MarkdownBlock, MarkdownListItem } from './markdown-node.ts';
import { SpecGapsError } from './spec-gaps-error.ts';
import type { SourcePoint } from './spec-gaps-error.ts';

/** Reads the blocks of a Markdown file from the top, and fails at the first that is not the expected one. */
export class MarkdownReader {
  readonly #file: string;
  readonly #blocks: readonly MarkdownBlock[];
  readonly #end: SourcePoint;
  #next = 0;

  constructor(markdown: string, file: string) {
    const root = fromMarkdown(markdown);
    this.#file = file;
    this.#blocks = root.children;
    this.#end = root.position?.end ?? { line: 1, column: 1 };
  }

  /** Takes the heading of that depth and text; `where` completes the message when it is not there. */
  heading(depth: number, title: string, where: string): void {
    const block = this.#blocks[this.#next];
    if (block?.type !== 'heading' || block.depth !== depth || toString(block) !== title) {
      this.fail(`the heading "${'#'.repeat(depth)} ${title}" ${where}`, block);
    }
    this.#next += 1;
  }

  /** Takes all that stands before the next heading of that depth, unread. */
  skipTo(depth: number): void {
    this.#next = this.#blocks.findIndex(
      (block, index) => index >= this.#next && block.type === 'heading' && block.depth === depth,
    );
    if (this.#next === -1) this.#next = this.#blocks.length;
  }

  /** Takes one paragraph. */
  paragraph(expected: string): Extract<MarkdownBlock, { type: 'paragraph' }> {
    const block = this.#blocks[this.#next];
    if (block?.type !== 'paragraph') this.fail(expected, block);
    this.#next += 1;
    return block;
  }

  /** Takes a list, which in Markdown has at least one item. */
  list(kind: 'numbered' | 'bulleted', expected: string): readonly MarkdownListItem[] {
    const block = this.#blocks[this.#next];
    if (block?.type !== 'list' || (block.ordered === true) !== (kind === 'numbered'))
      this.fail(expected, block);
    this.#next += 1;
    return block.children;
  }

  /** Whether a heading or the end of the file comes next. */
  isAtEndOfPart(): boolean {
    const block = this.#blocks[this.#next];
    return block === undefined || block.type === 'heading';
  }

  /** Fails unless everything has been taken. */
  end(): void {
    const block = this.#blocks[this.#next];
    if (block !== undefined) this.fail('the end of the file', block);
  }

  /** Ends the reading with the place of the node, or with the end of the file when there is none. */
  fail(expected: string, node: MarkdownBlock | undefined, found = describeNode(node)): never {
    throw new SpecGapsError(this.#file, node?.position?.start ?? this.#end, expected, found);
  }
}
