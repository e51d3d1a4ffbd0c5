// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import { points } from '../../../SPEC_GAPS.md?points';
import { addProgress } from '../../../src/features/specification/spec-gaps.ts';
import { renderPopup } from '../../support/render.tsx';

const progress = addProgress(points);

it('has a named link to each point, in the order of the specification', () => {
  renderPopup();
  const grid = screen.getByRole('navigation', { name: 'Points of the specification' });

  const links = within(grid)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

  expect(links).toEqual(
    points.map(({ id, number, title, answered, total }) => [
      `${number} ${title} ${answered} of ${total} answered${answered}/${total}`,
      `/src/options/index.html#/questions/${id}`,
    ]),
  );
});

it('opens a point in the tab of the options page', () => {
  const { opened } = renderPopup();

  fireEvent.click(screen.getByRole('link', { name: /The calls it makes/ }));

  expect(opened).toEqual(['#/questions/calls']);
});

it('shows how many questions are answered before the background answers', () => {
  renderPopup();
  const { answered, total } = progress;

  expect(screen.getByText(`${answered} of ${total} questions answered`)).toBeTruthy();
});

it('opens a point by its number only while a cell has the focus', () => {
  const { opened } = renderPopup();

  fireEvent.keyDown(document.body, { key: '7' });
  const before = [...opened];
  const cell = screen.getByRole('link', { name: /Screens and routes/ });
  cell.focus();
  fireEvent.keyDown(cell, { key: '8', ctrlKey: true });
  fireEvent.keyDown(cell, { key: '7' });

  expect(before).toEqual([]);
  expect(opened).toEqual(['#/questions/calls']);
});

it.each([
  ['no question is', { open: progress.total, start: 0 }, 'Start here', '#/questions?start'],
  ['the questions to start with are', { open: 9, start: 11 }, 'Unanswered questions (9)', '#/questions?open'],
])('links to the next questions when %s answered', async (_which, answered, name, address) => {
  const { opened } = await renderAnswered(answered);

  fireEvent.click(screen.getByRole('link', { name }));

  expect(screen.getByText('No features yet: your answers come first.')).toBeTruthy();
  expect(opened).toEqual([address]);
});

it.each([
  [0, 50],
  [2, 45],
  [10, 5],
])(
  'shows the minutes for the other questions to start with when %i are answered',
  async (answered, minutes) => {
    await renderAnswered({ open: 9, start: answered });

    expect(screen.getByText(`${answered} of 11 answered, about ${minutes} min`)).toBeTruthy();
  },
);

it('reports that the developers can begin when all questions are answered', async () => {
  await renderAnswered({ open: 0, start: 11 });

  expect(screen.getByText('Every question has an answer. The developers can begin.')).toBeTruthy();
  expect(screen.queryByText(/^No features yet/)).toBeNull();
});

/** Renders the popup of a build with `open` unanswered questions, and with `start` answers to the questions to start with. */
async function renderAnswered(answered: {
  readonly open: number;
  readonly start: number;
}): Promise<ReturnType<typeof renderPopup>> {
  let { open } = answered;
  vi.doMock('../../../SPEC_GAPS.md?points', () => ({
    points: points.map(({ id, number, title, total }) => {
      const unanswered = Math.min(open, total);
      open -= unanswered;
      return { id, number, title, total, answered: total - unanswered };
    }),
    start: { answered: answered.start, total: 11, minutes: 50 },
  }));
  vi.resetModules();
  onTestFinished(() => {
    vi.doUnmock('../../../SPEC_GAPS.md?points');
    vi.resetModules();
  });
  const fresh = await import('../../support/render.tsx');
  return fresh.renderPopup();
}
