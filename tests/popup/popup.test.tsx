// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import { points } from '../../SPEC_GAPS.md?points';
import { createExtensionWorld } from '../support/extension-world.ts';
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
  const before = said();

  await screen.findByText('1 of 9 questions answered');

  expect(before).toEqual(['Loading…', 'Background connecting…']);
});

it('says only once that the background is silent, and asks again when it is back', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const world = createExtensionWorld();
  world.mute(true);
  renderPopup(world);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  const whileSilent = said();

  world.mute(false);
  world.killWorker();
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await act(() => vi.advanceTimersByTimeAsync(5_000));

  expect(whileSilent).toContain('Not known until the background answers.');
  expect(whileSilent.filter((text) => text.includes('The background does not answer.'))).toHaveLength(1);
  expect(screen.getByText('1 of 9 questions answered')).toBeTruthy();
  expect(screen.queryByRole('alert')).toBeNull();
});

/** What the page says by itself: first its states, then its alerts. */
function said(): string[] {
  return [...screen.queryAllByRole('status'), ...screen.queryAllByRole('alert')].map(
    ({ textContent }) => textContent,
  );
}
