// @vitest-environment happy-dom
import { runInThisContext } from 'node:vm';
import { waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';

import beforePaint from '../../src/static/before-paint.js?raw';
import { createExtensionWorld } from '../support/extension-world.ts';
import { renderInPage } from '../support/render.tsx';

const root = document.documentElement;

describe('the theme of a page', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
    localStorage.clear();
    delete root.dataset['theme'];
    delete root.dataset['text'];
  });

  it('is the one that the preferences name, now and after every change', async () => {
    const world = createExtensionWorld();
    renderInPage(world, 'popup', null);
    await waitFor(() => expect(root.dataset['theme']).toBe('system'));

    await world.openPage('options').client.mutate('preferences.update', { theme: 'dark' });

    await waitFor(() => expect(root.dataset['theme']).toBe('dark'));
  });

  it('is there before the first paint when the page is opened again', async () => {
    const world = createExtensionWorld();
    await world.openPage('options').client.mutate('preferences.update', { theme: 'light' });
    renderInPage(world, 'popup', null);
    await waitFor(() => expect(root.dataset['theme']).toBe('light'));
    delete root.dataset['theme'];

    runInThisContext(beforePaint);

    expect(root.dataset['theme']).toBe('light');
  });

  it('is that of the system before the first preference arrives', () => {
    runInThisContext(beforePaint);

    expect(root.dataset['theme']).toBe('system');
  });

  it('does not depend on whether the browser keeps notes for the page', () => {
    const refuse = (): never => {
      throw new DOMException('denied', 'SecurityError');
    };
    vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse, clear: () => {} });

    runInThisContext(beforePaint);

    expect(root.dataset['theme']).toBeUndefined();
  });
});

describe('text from the build', () => {
  it.each([
    ['en', undefined],
    ['de', 'foreign'],
  ])('is, where the browser chose "%s", marked as %s', (language, mark) => {
    root.lang = 'en';
    vi.stubGlobal('chrome', { i18n: { getMessage: () => language } });

    runInThisContext(beforePaint);

    expect(root.dataset['text']).toBe(mark);
  });
});
