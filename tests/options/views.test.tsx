// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { choices, gaps, leftOut, markdown } from '../../SPEC_GAPS.md';
import { points } from '../../SPEC_GAPS.md?points';
import { views } from '../../src/options/views.tsx';
import { english, worldInfo } from '../support/extension-world.ts';
import { renderOptions } from '../support/render.tsx';

describe('an address', () => {
  it.each([
    ['', 'Specification'] as const,
    ['#/', 'Specification'] as const,
    ...views.map(({ name }) => [`#/${name}`, english(name)] as const),
    ...points.map(({ id, title }) => [`#/specification/${id}`, title] as const),
  ])('"%s" shows "%s" and names the tab after it', (hash, title) => {
    renderOptions(hash);

    expect(heading().textContent).toBe(title);
    expect(document.title).toBe(`${title} · Nine Points`);
  });

  it.each(['#/nothing', '#/specification/purposes', '#/about/'])(
    'that is unknown, "%s", is named, with a link back',
    (hash) => {
      renderOptions(hash);

      expect(heading().textContent).toBe('Page not found');
      expect(screen.getByText(hash).tagName).toBe('CODE');
      expect(screen.getByRole('link', { name: 'Go to the specification' }).getAttribute('href')).toBe(
        '#/specification',
      );
    },
  );

  it('moves the focus to the heading when it changes, not when the page opens, and is marked', async () => {
    renderOptions('');
    const atFirst = document.activeElement;
    const seen: unknown[] = [];

    for (const hash of ['#/about', '', '#/specification/purpose', '#/specification/screens']) {
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
      ['Specification', true, ['Specification']],
      [purpose, true, ['Specification', expect.stringContaining(purpose)]],
      [screens, true, ['Specification', expect.stringContaining(screens)]],
    ]);
  });
});

describe('the specification', () => {
  it.each(gaps)('shows what is written about $title, and leads to its neighbours', (gap) => {
    renderOptions(`#/specification/${gap.id}`);

    const main = screen.getByRole('main');
    const neighbours = screen.getByRole('navigation', { name: 'Neighbouring points' });

    expect(gap.questions.filter(({ id }) => within(main).queryAllByText(id).length === 0)).toEqual([]);
    expect(gap.places.filter(({ path }) => within(main).queryAllByText(path).length === 0)).toEqual([]);
    expect(within(main).queryAllByText('Answer:')).toHaveLength(gap.answered);
    expect(within(main).getByText(`Point ${gap.number} of ${gaps.length}`)).toBeTruthy();
    expect(
      within(neighbours)
        .getAllByRole('link')
        .map((link) => link.getAttribute('href')),
    ).toEqual(
      [gaps[gap.number - 2], gaps[gap.number]].flatMap((near) => (near ? `#/specification/${near.id}` : [])),
    );
  });

  it('finds questions by their words, and leads to their point', () => {
    renderOptions('#/specification');
    const [question] = gaps[6]?.questions ?? [];
    const words = question?.text.join('').replace('?', '').toUpperCase() ?? '';

    search(words);
    const found = mainLinks();
    const said = screen.getByText('1 question found').role;
    search('no such words');

    expect(found.map((link) => link.getAttribute('href'))).toEqual([`#/specification/${gaps[6]?.id}`]);
    expect(found[0]?.textContent).toContain(question?.id);
    expect(said).toBe('status');
    expect(screen.getByText('0 questions found')).toBeTruthy();
  });
});

it('the keys open the search by a slash, are letters to a field, and are left to the browser with Ctrl', async () => {
  renderOptions('#/specification');
  const field = screen.getByRole('searchbox');

  fireEvent.keyDown(document.body, { key: '/' });
  const focused = document.activeElement;
  fireEvent.keyDown(field, { key: '7' });
  fireEvent.keyDown(document.body, { key: '7', ctrlKey: true });
  await act(async () => {});

  expect(focused).toBe(field);
  expect(location.hash).toBe('#/specification');
  expect(screen.getByText(/^Keys: \/ search/)).toBeTruthy();
});

it('a point is copied as it is written, and again when the browser did not allow it', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  writeText.mockRejectedValueOnce(new Error('NotAllowedError'));
  onTestFinished(() => writeText.mockRestore());
  renderOptions('#/specification/calls');

  press('Copy questions');
  const alert = (await screen.findByRole('alert')).textContent;
  press('Try again');

  expect((await screen.findByText('Questions copied.')).role).toBe('status');
  expect(alert).toMatch(/^The browser did not allow copying\./);
  expect(screen.queryByRole('alert')).toBeNull();
  expect(writeText).toHaveBeenLastCalledWith(gaps[6]?.markdown);
});

it('the questionnaire is saved as the file that the pages are built from, and not said to be when it cannot be', async () => {
  const create = vi.spyOn(URL, 'createObjectURL').mockReturnValueOnce('blob:caught');
  onTestFinished(() => create.mockRestore());
  renderOptions('#/specification');

  press('Save questionnaire');
  await screen.findByText(/^Saving as SPEC_GAPS\.md\./);
  const saved = create.mock.calls[0]?.[0] as Blob;
  create.mockImplementation(() => {
    throw new Error('no memory');
  });
  press('Save questionnaire');

  expect((await screen.findByRole('alert')).textContent).toMatch(/^The browser could not save the file\./);
  expect(screen.queryByText(/^Saving as/)).toBeNull();
  expect(await saved.text()).toBe(markdown);
});

it('the view about says what the background says of the extension', async () => {
  renderOptions('#/about');

  await screen.findByText(worldInfo.browser);

  expect(screen.getByText(worldInfo.version)).toBeTruthy();
  expect(screen.getByText('Permissions').nextElementSibling?.textContent).toBe('storage');
  expect(await screen.findByText('1.2 kB')).toBeTruthy();
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

function mainLinks(): HTMLElement[] {
  return within(screen.getByRole('main')).getAllByRole('link');
}

function search(words: string): void {
  fireEvent.change(screen.getByRole('searchbox'), { target: { value: words } });
}

function press(name: string): void {
  fireEvent.click(screen.getByRole('button', { name }));
}

async function goTo(hash: string): Promise<void> {
  await act(async () => {
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    location.hash = hash;
    await changed;
  });
}
