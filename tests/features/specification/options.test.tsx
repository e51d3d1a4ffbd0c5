// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import { choices, leftOut } from '../../../SPEC_GAPS.md';
import { points } from '../../../SPEC_GAPS.md?points';
import { english } from '../../support/create-extension.ts';
import { goTo, renderOptions } from '../../support/render.tsx';

it.each([
  ['', 'Questions'],
  ...points.map(({ id, title }) => [`#/questions/${id}`, title] as const),
] as const)('the address "%s" shows "%s" and names the tab after it', (hash, title) => {
  renderOptions(hash);

  expect(heading().textContent).toBe(title);
  expect(document.title).toBe(`${title} · ${english('extension_name')}`);
});

it.each(['#/questions/purposes', '#/questions/1.99'])('the address "%s" is unknown', (hash) => {
  renderOptions(hash);

  expect(heading().textContent).toBe('Page not found');
});

it('marks the current point in the grid and its view in the navigation, and focuses the heading', async () => {
  renderOptions('');
  const seen: unknown[] = [];

  for (const { id } of points.slice(0, 2)) {
    await goTo(`#/questions/${id}`);
    const marked = screen.getAllByRole('link').filter((link) => link.hasAttribute('aria-current'));
    seen.push([document.activeElement === heading(), marked.map(({ textContent }) => textContent)]);
  }

  expect(seen).toEqual(
    points.slice(0, 2).map(({ title }) => [true, ['Questions', expect.stringContaining(title)]]),
  );
});

it('the view “About” names every choice, and lists everything that was left out', () => {
  renderOptions('#/about');
  const main = within(screen.getByRole('main'));

  expect(choices.filter(({ name }) => main.queryByText(name) === null)).toEqual([]);
  expect(main.getAllByRole('listitem')).toHaveLength(leftOut.length);
});

function heading(): HTMLElement {
  return screen.getByRole('heading', { level: 1 });
}
