// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { choices, leftOut } from '../../SPEC_GAPS.md';
import { points } from '../../SPEC_GAPS.md?points';
import { views } from '../../src/options/views.tsx';
import { createExtensionWorld, english, worldInfo } from '../support/extension-world.ts';
import { renderOptions } from '../support/render.tsx';

describe('an address', () => {
  it.each([
    ['', 'Questions'] as const,
    ['#/', 'Questions'] as const,
    ...views.map(({ name }) => [`#/${name}`, english(name)] as const),
    ...points.map(({ id, title }) => [`#/questions/${id}`, title] as const),
  ])('"%s" shows "%s" and names the tab after it', (hash, title) => {
    renderOptions(hash);

    expect(heading().textContent).toBe(title);
    expect(document.title).toBe(`${title} · Nine Points`);
  });

  it.each(['#/nothing', '#/questions/purposes', '#/questions/1.99', '#/about/'])(
    'that is unknown, "%s", is named, with a link back',
    (hash) => {
      renderOptions(hash);

      expect(heading().textContent).toBe('Page not found');
      expect(screen.getByText(hash).tagName).toBe('CODE');
      expect(screen.getByRole('link', { name: 'Go to “Questions”' }).getAttribute('href')).toBe(
        '#/questions',
      );
    },
  );

  it('moves the focus to the heading when it changes, not when the page opens, and is marked', async () => {
    renderOptions('');
    const atFirst = document.activeElement;
    const seen: unknown[] = [];

    for (const hash of ['#/about', '', '#/questions/purpose', '#/questions/screens']) {
      act(() => screen.getByRole('link', { name: 'Preferences' }).focus());
      await goTo(hash);
      const marked = screen.getAllByRole('link').filter((link) => link.hasAttribute('aria-current'));
      const isFocused = document.activeElement === heading();
      seen.push([heading().textContent, isFocused, marked.map(({ textContent }) => textContent)]);
    }

    const [purpose, screens] = [points[0]?.title ?? '', points[1]?.title ?? ''];
    expect(atFirst).toBe(document.body);
    expect(seen).toEqual([
      ['About', true, ['About']],
      ['Questions', true, ['Questions']],
      [purpose, true, ['Questions', expect.stringContaining(purpose)]],
      [screens, true, ['Questions', expect.stringContaining(screens)]],
    ]);
  });
});

it('the view about says what the background says of the extension', async () => {
  renderOptions('#/about');

  await screen.findByText(worldInfo.browser);

  expect(screen.getByText(worldInfo.version)).toBeTruthy();
  expect(screen.getByText('Permissions').nextElementSibling?.textContent).toBe('storage');
  expect(await screen.findByText('1.2 kB')).toBeTruthy();
});

it('the view about copies all that a bug report needs', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => writeText.mockRestore());
  const world = createExtensionWorld();
  world.disk.write('preferences', { version: 1, data: { theme: 'dark' } });
  renderOptions('#/about', world);
  await screen.findByText('preferences (version 1)');

  fireEvent.click(screen.getByRole('button', { name: 'Copy for a bug report' }));

  expect((await screen.findByText('Copied.')).role).toBe('status');
  expect(writeText.mock.calls[0]?.[0].split('\n')).toEqual([
    'Version: 1.2.3',
    'Extension id: worldextension',
    'Browser: Memory 1',
    'Permissions: storage',
    'Storage used: 1.2 kB',
    'Stored data: preferences (version 1)',
    expect.stringMatching(/^Starts of the background: 2, the latest at \d\d:00:00$/),
  ]);
});

it('the view about names every choice and everything that was left out', () => {
  renderOptions('#/about');
  const main = within(screen.getByRole('main'));

  expect(choices.filter(({ name }) => main.queryByText(name) === null)).toEqual([]);
  expect(main.getAllByRole('listitem')).toHaveLength(leftOut.length);
});

function heading(): HTMLElement {
  return screen.getByRole('heading', { level: 1 });
}

async function goTo(hash: string): Promise<void> {
  await act(async () => {
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = hash;
    await changed;
  });
}
