// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { points, start } from '../../../SPEC_GAPS.md?points';
import { addProgress } from '../../../src/features/specification/spec-gaps.ts';
import { renderPopup } from '../../support/render.tsx';

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

it.each([
  [/The calls it makes/, '#/questions/calls'],
  ['Start here', '#/questions?start'],
])('opens %s in the tab of the options page', (name, hash) => {
  const { opened } = renderPopup();

  fireEvent.click(screen.getByRole('link', { name }));

  expect(opened).toEqual([hash]);
});

it('says how many questions are answered and what to do next, before the background has said anything', () => {
  renderPopup();
  const { answered, total } = addProgress(points);

  expect(screen.getByText(`${answered} of ${total} questions answered`)).toBeTruthy();
  expect(screen.getByText('Start here').parentElement?.textContent).toBe(
    'No features yet: the questions come first.' +
      `Start here · ${start.answered} of ${start.total} answered, about ${start.minutes} minutes`,
  );
});

it('takes a number as a point only while a cell has the focus', () => {
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

describe('when questions are answered', () => {
  it.each([
    ['those to start with are', 1, `See the unanswered ones (${addProgress(points).total - 1})`],
    ['all are', undefined, 'Every question has an answer. The developers can begin.'],
  ])('and %s, the popup says what is next', async (_which, first, next) => {
    const answeredOf = (total: number, index: number): number =>
      first === undefined ? total : index === 0 ? first : 0;
    vi.doMock('../../../SPEC_GAPS.md?points', () => ({
      points: points.map(({ id, number, title, total }, index) => {
        return { id, number, title, total, answered: answeredOf(total, index) };
      }),
      start: { ...start, answered: start.total },
    }));
    vi.resetModules();
    onTestFinished(() => {
      vi.doUnmock('../../../SPEC_GAPS.md?points');
      vi.resetModules();
    });
    const fresh = await import('../../support/render.tsx');

    fresh.renderPopup();

    expect(screen.getByText(next)).toBeTruthy();
    expect(screen.queryByText(/^No features yet/) === null).toBe(first === undefined);
  });
});
