// @vitest-environment happy-dom
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { choices, gaps, leftOut, markdown } from '../../SPEC_GAPS.md';
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

describe('the search', () => {
  it('finds questions by their words, and leads to their point', () => {
    renderOptions('#/specification');
    const [question] = gaps[6]?.questions ?? [];
    const words = question?.text.join('').replace('?', '').toUpperCase() ?? '';

    fireEvent.change(screen.getByRole('searchbox'), { target: { value: words } });

    const [found, ...more] = within(screen.getByRole('main')).getAllByRole('link');
    expect(found?.textContent).toContain(question?.id);
    expect(found?.getAttribute('href')).toBe('#/specification/calls');
    expect(more).toEqual([]);
    expect(screen.getByText('1 question found').role).toBe('status');
  });

  it('says when nothing is found', () => {
    renderOptions('#/specification');

    fireEvent.change(screen.getByRole('searchbox'), { target: { value: 'no such words' } });

    expect(screen.getByText('0 questions found')).toBeTruthy();
  });
});

describe('the keys', () => {
  it('open a point by its number', async () => {
    renderOptions('#/about');

    await press('7');

    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('The calls it makes');
  });

  it.each(['#/specification', '#/about'])('go from %s to the search by a slash', async (hash) => {
    renderOptions(hash);

    await press('/');

    expect(document.activeElement).toBe(screen.getByRole('searchbox'));
  });

  it('are letters to a field, and left to the browser with Ctrl', async () => {
    renderOptions('#/specification');

    fireEvent.keyDown(screen.getByRole('searchbox'), { key: '7' });
    fireEvent.keyDown(document.body, { key: '7', ctrlKey: true });
    await act(async () => {});

    expect(location.hash).toBe('#/specification');
  });

  it('are named by what they open', () => {
    renderOptions('#/specification');

    const named = screen.getAllByRole('link').flatMap((link) => link.getAttribute('aria-keyshortcuts') ?? []);

    expect(named).toEqual(points.map(({ number }) => String(number)));
    expect(screen.getByRole('searchbox').getAttribute('aria-keyshortcuts')).toBe('/');
    expect(screen.getByText(/^Keys: \/ search/)).toBeTruthy();
  });
});

describe('what leaves the extension', () => {
  it('is the section of a point, copied as it is written', async () => {
    const copied = stubClipboard(async () => {});
    renderOptions('#/specification/calls');

    fireEvent.click(screen.getByRole('button', { name: 'Copy questions' }));

    expect((await screen.findByText('Questions copied.')).role).toBe('status');
    expect(copied).toEqual([gaps[6]?.markdown]);
  });

  it('is tried again when the browser does not allow it', async () => {
    const copied = stubClipboard(async () => {
      if (copied.length === 1) throw new Error('NotAllowedError');
    });
    renderOptions('#/specification/calls');

    fireEvent.click(screen.getByRole('button', { name: 'Copy questions' }));
    const alert = (await screen.findByRole('alert')).textContent;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

    await screen.findByText('Questions copied.');
    expect(alert).toMatch(/^The browser did not allow copying\./);
    expect(screen.queryByRole('alert')).toBeNull();
  });

  it('is the whole file, and says so when it cannot be saved', async () => {
    const blobs: Blob[] = [];
    const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
      blobs.push(blob as Blob);
      return 'blob:caught';
    });
    onTestFinished(() => create.mockRestore());
    renderOptions('#/specification');

    fireEvent.click(screen.getByRole('button', { name: 'Save questionnaire' }));
    await screen.findByText(/^Saving as SPEC_GAPS\.md\./);
    create.mockImplementation(() => {
      throw new Error('no memory');
    });
    fireEvent.click(screen.getByRole('button', { name: 'Save questionnaire' }));

    expect((await screen.findByRole('alert')).textContent).toMatch(/^The browser could not save the file\./);
    expect(await blobs[0]?.text()).toBe(markdown);
    expect(screen.queryByText(/^Saving as/)).toBeNull();
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

/** Presses a key, and waits until the page has followed the address if that changes. */
async function press(key: string): Promise<void> {
  const before = location.hash;
  await act(async () => {
    const changed = new Promise((resolve) => addEventListener('hashchange', resolve, { once: true }));
    fireEvent.keyDown(document.body, { key });
    if (location.hash !== before) await changed;
  });
}

/** Puts a clipboard in the place of the browser's, until the test is over. Gives what is copied. */
function stubClipboard(write: () => Promise<void>): readonly string[] {
  const copied: string[] = [];
  const before = Object.getOwnPropertyDescriptor(navigator, 'clipboard');
  Object.defineProperty(navigator, 'clipboard', {
    configurable: true,
    value: {
      writeText: (text: string) => {
        copied.push(text);
        return write();
      },
    },
  });
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'clipboard');
    if (before) Object.defineProperty(navigator, 'clipboard', before);
  });
  return copied;
}
