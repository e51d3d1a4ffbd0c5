import { toString } from 'mdast-util-to-string';

import type { MarkdownBlock } from './markdown-node.ts';

const names: Partial<Record<MarkdownBlock['type'], string>> = {
  blockquote: 'a quotation',
  break: 'a forced line break',
  code: 'a code block',
  definition: 'a link definition',
  emphasis: 'emphasis',
  html: 'HTML',
  image: 'an image',
  inlineCode: 'code',
  link: 'a link',
  paragraph: 'a paragraph',
  strong: 'bold text',
  text: 'text',
  thematicBreak: 'a rule',
};

/** Names a node the way its writer would. Nothing at all is the end of the file. */
export function describeNode(node: MarkdownBlock | undefined): string {
  if (node === undefined) return 'the end of the file';
  if (node.type === 'heading') return `the heading "${'#'.repeat(node.depth)} ${toString(node)}"`;
  if (node.type === 'list') return node.ordered === true ? 'a numbered list' : 'a bulleted list';
  if (node.type === 'listItem') return node.children.length > 0 ? 'a list item' : 'an empty list item';
  return names[node.type] ?? node.type;
}
