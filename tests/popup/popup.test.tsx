// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import { points } from '../../SPEC_GAPS.md?points';
import { renderPopup } from '../support/render.tsx';

it('has a named link to each point, in the order of the specification', () => {
  renderPopup();
  const grid = screen.getByRole('navigation', { name: 'Points of the specification' });

  const links = within(grid)
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);

  expect(links).toEqual(
    points.map(({ id, number, title, answered, total }) => [
      `${number} ${title} ${answered} of ${total} answered`,
      `/src/options/index.html#/specification/${id}`,
    ]),
  );
});

it.each([
  [/The calls it makes/, '#/specification/calls'],
  ['All questions', ''],
])(
  'opens %s in the tab of the options page, and leaves a click for a new tab to the browser',
  (name, hash) => {
    const { opened } = renderPopup();
    const link = screen.getByRole('link', { name });

    const isFollowed = fireEvent.click(link);
    // What the browser would do is not for this test.
    link.removeAttribute('href');
    const isFollowedWithCtrl = fireEvent.click(link, { ctrlKey: true });

    expect(opened).toEqual([hash]);
    expect([isFollowed, isFollowedWithCtrl]).toEqual([false, true]);
  },
);

it('says how many questions are answered when the background has said so, and not before', async () => {
  renderPopup();
  const before = screen.queryAllByRole('status').map(({ textContent }) => textContent);

  await screen.findByText('1 of 9 questions answered');

  expect(before).toEqual(['Loading…', 'Background connecting…']);
});
