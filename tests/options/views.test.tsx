// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';

import { type Views, views } from '../../src/options/views.tsx';
import { ViewHeading } from '../../src/ui/view.tsx';
import { english } from '../support/create-extension.ts';
import { goTo, renderOptions } from '../support/render.tsx';

/** A view without parts, and a view with the parts `one` and `two`. `two` marks the element that gets the focus. */
const fixture: Views = [
  { name: 'options_views', show: (part) => (part === undefined ? parts['first']?.('') : undefined) },
  {
    name: 'storage',
    show: (part = 'list', query) => parts[part]?.(query),
  },
];

const parts: Readonly<Record<string, (query: string) => ReactNode>> = {
  first: () => (
    <>
      <ViewHeading name="options_views" />
      <a href="#/options_views/one">Part</a>
    </>
  ),
  list: (query) => (
    <>
      <ViewHeading name="storage" />
      <p>Query: {query}</p>
      <a href="#/storage/one?back">One</a>
    </>
  ),
  one: () => <ViewHeading name="about" />,
  two: () => (
    <>
      <ViewHeading name="preferences" />
      <h2 data-arrival tabIndex={-1}>
        Second
      </h2>
    </>
  ),
};

it.each(views.map(({ name }) => [`#/${name}`, english(name)] as const))(
  'the address "%s" of the extension shows "%s" and names the tab after it',
  (hash, title) => {
    renderOptions(hash);

    expect(heading().textContent).toBe(title);
    expect(document.title).toBe(`${title} · ${english('extension_name')}`);
  },
);

describe('an address', () => {
  it.each([
    ['', 'Views'],
    ['#', 'Views'],
    ['#/', 'Views'],
    ['#/options_views', 'Views'],
    ['#/options_views?query', 'Views'],
    ['#/storage', 'Stored data'],
    ['#/storage/one', 'About'],
    ['#/storage/one?query', 'About'],
  ])('"%s" shows "%s"', (hash, title) => {
    renderFixture(hash);

    expect(heading().textContent).toBe(title);
  });

  it.each(['#/nothing', '#/options_views/', '#/options_views/part', '#/storage/three', '#/storages'])(
    '"%s" is unknown: the page shows it, and a link to the first view',
    (hash) => {
      renderFixture(hash);

      expect(heading().textContent).toBe('Page not found');
      expect(screen.getByText(hash).tagName).toBe('CODE');
      expect(screen.getByRole('link', { name: 'Go to “Views”' }).getAttribute('href')).toBe(
        '#/options_views',
      );
    },
  );

  it('passes its query to the view', () => {
    renderFixture('#/storage?a=1&b');

    expect(screen.getByText(/^Query/).textContent).toBe('Query: a=1&b');
  });

  it('marks its view in the navigation with `aria-current`: `page` for the view, `true` for one of its parts', async () => {
    renderFixture('');
    const seen: unknown[] = [];

    for (const hash of ['#/options_views', '#/storage', '#/storage/one', '#/nothing']) {
      await goTo(hash);
      const marked = screen.getAllByRole('link').filter((link) => link.hasAttribute('aria-current'));
      seen.push(marked.map((link) => [link.textContent, link.getAttribute('aria-current')]));
    }

    expect(seen).toEqual([[['Views', 'page']], [['Stored data', 'page']], [['Stored data', 'true']], []]);
  });
});

describe('the focus', () => {
  it.each([
    ['', 'BODY'],
    ['#/storage', 'Stored data'],
    ['#/storage/two', 'Second'],
  ])('of a page that opens at "%s" is on "%s"', (hash, focused) => {
    renderFixture(hash);

    expect(describeFocus()).toBe(focused);
  });

  it.each([
    ['goes to the heading of another view', '#/storage', '#/options_views', 'Views'],
    ['goes to the heading of the first view', '#/storage', '', 'Views'],
    ['goes to the heading of a part', '#/storage', '#/storage/one', 'About'],
    ['goes to the element that a part marks', '#/storage', '#/storage/two', 'Second'],
    ['goes to the element that another part marks', '#/storage/one', '#/storage/two', 'Second'],
    ['returns from a part to the link to that part', '#/storage/one', '#/storage', 'A One'],
    [
      'returns from a part of the first view to the link, without an address',
      '#/options_views/one',
      '',
      'A Part',
    ],
    ['returns from a part without a link to the heading', '#/storage/two', '#/storage', 'Stored data'],
    ['does not move when only the query changes', '#/storage', '#/storage?a', 'A Views'],
    ['does not move when a page without an address gets a query', '', '#/options_views?a', 'A Views'],
    ['goes to the heading for an unknown address', '#/options_views', '#/nothing', 'Page not found'],
  ])('%s', async (_what, from, to, focused) => {
    renderFixture(from);
    act(() => screen.getByRole('link', { name: 'Views' }).focus());

    await goTo(to);

    expect(describeFocus()).toBe(focused);
  });
});

function renderFixture(hash: string): void {
  renderOptions(hash, undefined, fixture);
}

function heading(): HTMLElement {
  return screen.getByRole('heading', { level: 1 });
}

/** Returns the text of the focused element, with `A` in front if it is a link. */
function describeFocus(): string {
  const { tagName = '', textContent } = document.activeElement ?? {};
  if (tagName === 'BODY') return tagName;
  return tagName === 'A' ? `${tagName} ${textContent}` : (textContent ?? '');
}
