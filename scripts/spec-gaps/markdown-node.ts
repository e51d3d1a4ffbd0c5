import type { fromMarkdown } from 'mdast-util-from-markdown';

/** A node at the top of a Markdown file: a heading, a paragraph, a list. */
export type MarkdownBlock = ReturnType<typeof fromMarkdown>['children'][number];

export type MarkdownListItem = Extract<MarkdownBlock, { type: 'list' }>['children'][number];

/** A node within a paragraph: text, code, emphasis, a link. */
export type MarkdownSpan = Extract<MarkdownBlock, { type: 'paragraph' }>['children'][number];
