// @vitest-environment happy-dom
import { act, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { choices, gaps, leftOut } from '../../SPEC_GAPS.md';
import { points } from '../../SPEC_GAPS.md?points';
import { views } from '../../src/options/views.tsx';
import { english } from '../support/extension-world.ts';
import { renderOptions } from '../support/render.tsx';

describe('the options page', () => {
  it.each([
    ['', 'Specification'] as const,
    ['#/', 'Specification'] as const,
    ...views.map(({ name }) => [`#/${name}`, english(name)] as const),
    ...points.map(({ id, title }) => [`#/specification/${id}`, title] as const),
  ])('shows at "%s" the view "%s" and names the tab after it', (hash, title) => {
    renderOptions(hash);

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
    expect(document.title).toBe(`${title} · Nine Points`);
  });

  it.each([
    '#/nothing',
    '#/specification/nothing',
    '#/specification/purposes',
    '#/specification/',
    '#preferences',
    '#/about/',
  ])('says at "%s" that there is no such address, and leads back', (hash) => {
    renderOptions(hash);

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Page not found');
    expect(screen.getByText(hash).tagName).toBe('CODE');
    expect(screen.getByRole('link', { name: 'Go to the specification' }).getAttribute('href')).toBe(
      '#/specification',
    );
  });

  it('follows the address, and moves the focus to the heading', async () => {
    renderOptions('');
    const focusedAtFirst = document.activeElement;

    await goTo('#/about');

    expect(focusedAtFirst).toBe(document.body);
    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'About' }));
  });

  it('moves the focus to the heading on the way back to where it began', async () => {
    renderOptions('');
    await goTo('#/about');
    act(() => screen.getByRole('link', { name: 'Preferences' }).focus());

    await goTo('');

    expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1, name: 'Specification' }));
  });

  it('moves the focus from point to point', async () => {
    renderOptions('#/specification/purpose');
    act(() => screen.getByRole('link', { name: 'About' }).focus());

    await goTo('#/specification/screens');

    expect(document.activeElement).toBe(
      screen.getByRole('heading', { level: 1, name: 'Screens and routes' }),
    );
  });

  it('marks where it is', async () => {
    renderOptions('#/specification/roles');
    const marked = (): (string | null)[] =>
      screen
        .getAllByRole('link')
        .filter((link) => link.hasAttribute('aria-current'))
        .map((link) => link.textContent);
    const atPoint = marked();

    await goTo('#/preferences');

    expect(atPoint).toEqual(['Specification', expect.stringContaining('6 Roles and permissions')]);
    expect(marked()).toEqual(['Preferences']);
  });

  it('lets the keyboard skip the navigation', () => {
    renderOptions('');

    act(() => screen.getByRole('button', { name: 'Skip to the content' }).click());

    expect(document.activeElement).toBe(screen.getByRole('main'));
  });
});

describe('the specification', () => {
  it('lists each point with the share of its questions that is answered', () => {
    renderOptions('#/specification');

    const rows = within(screen.getByRole('main')).getAllByRole('link');

    expect(rows.map((row) => row.textContent)).toEqual(
      gaps.map(({ number, title, answered, total }) => `${number}${title}${answered} of ${total} answered`),
    );
  });

  it('shows of a point what is known, its questions, what happens for now and where the answers go', () => {
    renderOptions('#/specification/errors');
    const main = screen.getByRole('main');

    const headings = within(main).getAllByRole('heading', { level: 2 });

    expect(headings.map((heading) => heading.textContent)).toEqual([
      'Known',
      'Questions',
      'For now',
      'Where it goes',
    ]);
    expect(within(main).getByText('Point 8 of 9')).toBeTruthy();
    expect(within(main).getAllByRole('listitem')).toHaveLength(gaps[7]?.questions.length ?? 0);
    expect(within(main).getByText('src/messaging/errors.ts').tagName).toBe('CODE');
  });

  it('leads to the neighbours of a point', () => {
    renderOptions('#/specification/screens');

    const neighbours = within(screen.getByRole('navigation', { name: 'Neighbouring points' })).getAllByRole(
      'link',
    );

    expect(neighbours.map((link) => link.getAttribute('href'))).toEqual([
      '#/specification/purpose',
      '#/specification/entities',
    ]);
  });
});

describe('about', () => {
  it('says what the worker says of the extension', async () => {
    renderOptions('#/about');

    await screen.findByText('Memory 1');

    expect(screen.getByText('1.2.3')).toBeTruthy();
    expect(screen.getByText('Permissions').nextElementSibling?.textContent).toBe('storage');
    expect(await screen.findByText('1.2 kB')).toBeTruthy();
  });

  it('names every choice and everything that was left out', () => {
    renderOptions('#/about');
    const main = within(screen.getByRole('main'));

    expect(choices.filter(({ name }) => main.queryByText(name) === null)).toEqual([]);
    expect(main.getAllByRole('listitem')).toHaveLength(leftOut.length);
  });
});

async function goTo(hash: string): Promise<void> {
  await act(async () => {
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = hash;
    await changed;
  });
}
