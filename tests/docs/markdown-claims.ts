import { fromMarkdown } from 'mdast-util-from-markdown';
import { toString } from 'mdast-util-to-string';

type Node = ReturnType<typeof fromMarkdown> | ReturnType<typeof fromMarkdown>['children'][number];

/** What a document says that can be wrong. */
export interface MarkdownClaims {
  /** Every run of code within a sentence. */
  readonly codes: readonly string[];
  /** Every line that is to be typed into a shell. */
  readonly shellLines: readonly string[];
  /** Where every link and picture leads to. */
  readonly addresses: readonly string[];
  /** What its headings can be linked to by, as GitHub forms it. */
  readonly anchors: readonly string[];
}

export function markdownClaims(markdown: string): MarkdownClaims {
  const codes: string[] = [];
  const shellLines: string[] = [];
  const addresses: string[] = [];
  const anchors: string[] = [];

  const visit = (node: Node): void => {
    if (node.type === 'inlineCode') codes.push(node.value);
    else if (node.type === 'code' && node.lang === 'sh') shellLines.push(...node.value.split('\n'));
    else if (node.type === 'link' || node.type === 'image' || node.type === 'definition') {
      addresses.push(node.url);
    } else if (node.type === 'html') {
      addresses.push(
        ...[...node.value.matchAll(/(?:src|srcset|href)="([^"]*)"/g)].map(([, url = '']) => url),
      );
    } else if (node.type === 'heading') anchors.push(anchorOf(toString(node), anchors));
    if ('children' in node) for (const child of node.children) visit(child);
  };
  visit(fromMarkdown(markdown));
  return { codes, shellLines, addresses, anchors };
}

function anchorOf(title: string, taken: readonly string[]): string {
  const anchor = title
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
  const same = taken.filter((other) => other.replace(/-\d+$/, '') === anchor).length;
  return same === 0 ? anchor : `${anchor}-${same}`;
}
