// @vitest-environment happy-dom
import { cleanup, render, screen, within } from '@testing-library/react';
import { expect, it, onTestFinished } from 'vitest';

import type { Block } from '../../../src/features/specification/spec-gaps.ts';
import { AnswerBlocks } from '../../../src/features/specification/answer-blocks.tsx';

it('renders lists, code, tables and quotations as elements of that kind', () => {
  const { container } = renderBlocks([
    {
      type: 'list',
      start: 3,
      items: [[text('One'), { type: 'list', items: [[text('Two')]] }], [text('Three')]],
    },
    { type: 'code', text: 'a {\n  b\n}' },
    { type: 'table', head: [['Call'], ['Limit']], rows: [[[{ code: 'save' }], []]] },
    { type: 'quote', blocks: [text('Four')] },
  ]);

  const [outer, inner] = screen.getAllByRole('list');
  expect(outer?.getAttribute('start')).toBe('3');
  expect(within(inner ?? container).getByRole('listitem').textContent).toBe('Two');
  expect(container.querySelector('pre')?.textContent).toBe('a {\n  b\n}');
  expect(screen.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    'Call',
    'Limit',
  ]);
  expect(screen.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual(['save', '']);
  expect(container.querySelector('blockquote')?.textContent).toBe('Four');
});

it('shows the address of a link once, as text and not as a link', () => {
  const { container } = renderBlocks([
    {
      type: 'paragraph',
      text: [
        { text: 'Our API', address: 'https://a.example' },
        ', ',
        { text: 'https://b.example', address: 'https://b.example' },
        ', ',
        { text: 'c@d.example', address: 'mailto:c@d.example' },
        { emphasis: '!' },
      ],
    },
  ]);

  expect(container.textContent).toBe('Our API https://a.example, https://b.example, c@d.example!');
  expect(screen.queryByRole('link')).toBeNull();
});

it('shows HTML as text', () => {
  const { container } = renderBlocks([text('<img src="x" onerror="alert(1)">')]);

  expect(container.textContent).toBe('<img src="x" onerror="alert(1)">');
  expect(container.querySelector('img')).toBeNull();
});

function text(words: string): Block {
  return { type: 'paragraph', text: [words] };
}

function renderBlocks(blocks: readonly Block[]) {
  onTestFinished(cleanup);
  return render(<AnswerBlocks blocks={blocks} />);
}
