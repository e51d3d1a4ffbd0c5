// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import { points } from '../../../SPEC_GAPS.md?points';
import { QuestionsPart } from '../../../src/features/specification/popup.tsx';
import type { Summary } from '../../../src/features/specification/spec-gaps.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';
import { renderInPage, renderPopup } from '../../support/render.tsx';

it('has a named link to each point, in the order of the specification', () => {
  renderPopup();
  const links = within(screen.getByRole('navigation', { name: 'Points of the specification' })).getAllByRole(
    'link',
  );

  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    points.map(({ id }) => `/src/options/index.html#/questions/${id}`),
  );
  expect(points.filter(({ title }, index) => links[index]?.textContent.includes(title) !== true)).toEqual([]);
});

it.each<[what: string, next: Summary['next'], texts: readonly (string | RegExp)[], address: string]>([
  [
    'the questions that come first are',
    { id: '1.4', isStart: true, left: 8 },
    ['This product is not specified yet.', /Questions to answer first: 8\.$/, 'Open the questions'],
    '#/questions/1.4?start',
  ],
  [
    'other questions are',
    { id: '7.2', isStart: false, left: 9 },
    ['This product is not specified yet.', /Questions still unanswered: 9\.$/, 'Open the questions'],
    '#/questions/7.2?open',
  ],
  [
    'no question is',
    undefined,
    ['All questions are answered.', /^The developers have what they need/, 'Read the answers'],
    '#/questions',
  ],
])('says what to do, and leads there, while %s open', (_what, next, [heading, sentence, button], address) => {
  renderInPage(createExtensionWorld(), 'popup', <QuestionsPart summary={{ points, next }} />);

  const title = screen.getByRole('heading', { level: 1 });

  expect(title.textContent).toBe(heading);
  expect(title.nextElementSibling?.textContent).toMatch(sentence ?? '');
  expect(screen.getByRole('link', { name: button ?? '' }).getAttribute('href')).toBe(address);
});

it('draws the answered share of a point as its outline, and nothing if no question is answered', () => {
  const some = points.slice(0, 3).map((point, index) => ({ ...point, answered: index * 2, total: 4 }));
  const summary = { points: some, next: undefined };
  renderInPage(createExtensionWorld(), 'popup', <QuestionsPart summary={summary} />);
  const cells = within(screen.getByRole('navigation')).getAllByRole('link');

  const shares = cells.map((cell) => cell.querySelector('rect')?.getAttribute('stroke-dasharray'));

  expect(shares).toEqual([undefined, '50 100', '100 100']);
  expect(cells[1]?.textContent).toContain('2 of 4 answered');
});
