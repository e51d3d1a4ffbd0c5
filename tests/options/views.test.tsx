// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { describe, expect, it } from 'vitest';

import { type Views, views } from '../../src/options/views.tsx';
import { ViewHeading } from '../../src/ui/view.tsx';
import { english } from '../support/create-extension.ts';
import { goTo, renderOptions } from '../support/render.tsx';

/** A view without parts, then one with two parts, one of which names the element for the focus. */
const fixture: Views = [
  { name: 'options_views', show: (part) => (part === undefined ? <ViewHeading title="Views" /> : undefined) },
  {
    name: 'storage',
    show: (part = 'list', query) => parts[part]?.(query),
    Aside: ({ address }) => <nav aria-label="Aside">{address}</nav>,
  },
];

const parts: Readonly<Record<string, (query: string) => ReactNode>> = {
  list: (query) => (
    <>
      <ViewHeading title="Stored data" />
      <p>Query: {query}</p>
      <a href="#/storage/one?back">One</a>
    </>
  ),
  one: () => <ViewHeading title="One" />,
  two: () => (
    <>
      <ViewHeading title="Two" />
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
    ['#/storage/one', 'One'],
    ['#/storage/one?query', 'One'],
  ])('"%s" shows "%s"', (hash, title) => {
    renderFixture(hash);

    expect(heading().textContent).toBe(title);
  });

  it.each(['#/nothing', '#/options_views/', '#/options_views/part', '#/storage/three', '#/storages'])(
    'that is unknown, "%s", is shown, with a link to the first view',
    (hash) => {
      renderFixture(hash);

      expect(heading().textContent).toBe('Page not found');
      expect(screen.getByText(hash).tagName).toBe('CODE');
      expect(screen.getByRole('link', { name: 'Go to “Views”' }).getAttribute('href')).toBe(
        '#/options_views',
      );
      expect(screen.queryByRole('navigation', { name: 'Aside' })).toBeNull();
    },
  );

  it('gives its query to the view, and itself to the part of the sidebar that a view has', () => {
    renderFixture('#/storage?a=1&b');

    expect(screen.getByText('Query: a=1&b')).toBeTruthy();
    expect(screen.getByRole('navigation', { name: 'Aside' }).textContent).toBe('#/storage?a=1&b');
  });

  it('marks its view in the navigation: as the page, or as the view around a part', async () => {
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
  ])('of a page that opens at "%s" is on: %s', (hash, focused) => {
    renderFixture(hash);

    expect(describeFocus()).toBe(focused);
  });

  it.each([
    ['another view', '#/storage', '#/options_views', 'Views'],
    ['the start', '#/storage', '', 'Views'],
    ['a part', '#/storage', '#/storage/one', 'One'],
    ['a part that names an element', '#/storage', '#/storage/two', 'Second'],
    ['another part', '#/storage/one', '#/storage/two', 'Second'],
    ['a view from its part: on the link to that', '#/storage/one', '#/storage', 'A One'],
    ['a view from a part without a link', '#/storage/two', '#/storage', 'Stored data'],
    ['the same address with another query: where it was', '#/storage', '#/storage?a', 'A Views'],
    ['an unknown address', '#/options_views', '#/nothing', 'Page not found'],
  ])('moves on the way to %s', async (_where, from, to, focused) => {
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

/** The text of the element with the focus, after `A` if it is a link. */
function describeFocus(): string {
  const { tagName = '', textContent } = document.activeElement ?? {};
  if (tagName === 'BODY') return tagName;
  return tagName === 'A' ? `${tagName} ${textContent}` : (textContent ?? '');
}
