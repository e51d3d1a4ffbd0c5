import { createElement, Fragment, type ReactNode } from 'react';

import styles from './answer-blocks.module.css';
import { Prose } from './prose.tsx';
import type { Block, Cell } from './spec-gaps.ts';

/**
 * Renders an answer: paragraphs, lists, tables, quotations and code. The answer is data and never becomes markup. It does
 * not change while the page is open, so its parts need no keys.
 */
export function AnswerBlocks({ blocks }: { readonly blocks: readonly Block[] }) {
  return <Parts of={blocks.map((block) => renderBlock(block))} />;
}

function renderBlock(block: Block): ReactNode {
  switch (block.type) {
    case 'paragraph':
      return (
        <p className={styles['text']}>
          <Prose text={block.text} />
        </p>
      );
    case 'list': {
      const items = block.items.map((item) => createElement('li', null, <AnswerBlocks blocks={item} />));
      const content = <Parts of={items} />;
      // `dir="auto"` aligns lists, quotations and tables by the language of their text.
      return block.start === undefined ? (
        <ul className={styles['list']} dir="auto">
          {content}
        </ul>
      ) : (
        <ol className={styles['list']} dir="auto" start={block.start}>
          {content}
        </ol>
      );
    }
    case 'code':
      return (
        <pre className={styles['code']}>
          <code>{block.text}</code>
        </pre>
      );
    case 'quote':
      return (
        <blockquote className={styles['quote']} dir="auto">
          <AnswerBlocks blocks={block.blocks} />
        </blockquote>
      );
    case 'table':
      return (
        <table className={styles['table']} dir="auto">
          <thead>
            <Row cells={block.head} kind="th" />
          </thead>
          <tbody>
            <Parts of={block.rows.map((cells) => createElement(Row, { cells, kind: 'td' }))} />
          </tbody>
        </table>
      );
  }
}

function Row({ cells, kind }: { readonly cells: readonly Cell[]; readonly kind: 'th' | 'td' }) {
  const content = cells.map((cell) => createElement(kind, null, createElement(Prose, { text: cell })));
  return (
    <tr>
      <Parts of={content} />
    </tr>
  );
}

/** Renders elements whose order never changes. */
function Parts({ of: parts }: { readonly of: readonly ReactNode[] }) {
  return createElement(Fragment, null, ...parts);
}
