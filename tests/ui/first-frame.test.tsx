// @vitest-environment happy-dom
import { runInThisContext } from 'node:vm';
import { cleanup, render, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import { renderPage } from '../../scripts/plugins/render-page.tsx';
import { OptionsPage } from '../../src/options/options.tsx';
import { views } from '../../src/options/views.tsx';
import { PopupPage } from '../../src/popup/popup.tsx';
import beforePaint from '../../src/static/before-paint.js?raw';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { createExtension } from '../support/create-extension.ts';
import { createExtensionWorld } from '../support/extension-world.ts';

it.each([
  ['popup', ''],
  ['options', ''],
  ['options', `#/${views.at(-1)?.name}`],
  ['options', '#/nothing'],
] as const)(
  'React hydrates the %s page at "%s" without a difference from the frame of the build',
  async (name, hash) => {
    location.hash = hash;
    const { client, close } = createExtensionWorld().openPage(name);
    const pages = {
      popup: <PopupPage extension={createExtension({ client, openOptions: async () => {} })} />,
      options: <OptionsPage extension={createExtension({ client })} />,
    };
    const container = document.body.appendChild(document.createElement('div'));
    container.innerHTML = renderPage(name, messages);
    const complaints: unknown[] = [];
    const complain = (...words: unknown[]): unknown => complaints.push(words);
    // React complains about `search`, which happy-dom does not know.
    vi.spyOn(console, 'error').mockImplementation((...words) => words[1] !== 'search' && complain(words));
    onTestFinished(() => {
      cleanup();
      close();
      vi.restoreAllMocks();
    });

    render(pages[name], { container, hydrate: true, onRecoverableError: complain });

    expect(await screen.findByRole('heading', { level: 1 })).toBeTruthy();
    expect(complaints).toEqual([]);
  },
);

it('the frame of the options page has no heading of a view and no mark in the navigation', () => {
  expect(renderPage('options', messages)).not.toMatch(/<h1|aria-current/);
});

it('the script before the first paint marks text of another language even if `localStorage` is not allowed', () => {
  const root = document.documentElement;
  const refuse = (): never => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse });
  vi.stubGlobal('chrome', { i18n: { getMessage: () => 'de' } });
  delete root.dataset['theme'];
  root.lang = 'en';
  onTestFinished(() => void vi.unstubAllGlobals());

  runInThisContext(beforePaint);

  expect(root.dataset['theme']).toBeUndefined();
  expect(root.dataset['text']).toBe('foreign');
});
