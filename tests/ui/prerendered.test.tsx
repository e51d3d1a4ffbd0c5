// @vitest-environment happy-dom
import { act } from '@testing-library/react';
import { hydrateRoot } from 'react-dom/client';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';

import { renderPage } from '../../scripts/plugins/render-page.tsx';
import { OptionsPage } from '../../src/options/options.tsx';
import { PopupPage } from '../../src/popup/popup.tsx';
import messages from '../../src/static/_locales/en/messages.json' with { type: 'json' };
import { createExtensionWorld, english } from '../support/extension-world.ts';

describe('what the build renders', () => {
  afterEach(() => {
    document.body.replaceChildren();
    location.hash = '';
    vi.restoreAllMocks();
  });

  it('is of the popup all but what the worker says', () => {
    const html = renderPage('popup', messages);

    expect(html.match(/<a /g)).toHaveLength(10);
    expect(html).toContain('Background connecting…');
    expect(html).toContain('Loading…');
  });

  it('is of the options page the frame, which is the same at every address', () => {
    const html = renderPage('options', messages);

    expect(html).toContain('Preferences');
    expect(html).not.toContain('<h1');
    expect(html).not.toContain('aria-current');
  });

  it('is taken over by the popup as it is', async () => {
    const { client } = createExtensionWorld().openPage('popup');
    const page = <PopupPage extension={{ client, translate: english }} openOptions={async () => {}} />;

    const complaints = await hydrate(renderPage('popup', messages), page);

    expect(complaints).toEqual([]);
  });

  it.each(['', '#/about', '#/nothing'])(
    'is taken over by the options page at "%s" as it is',
    async (hash) => {
      location.hash = hash;
      const { client } = createExtensionWorld().openPage('options');
      const page = <OptionsPage extension={{ client, translate: english }} />;

      const complaints = await hydrate(renderPage('options', messages), page);

      expect(complaints).toEqual([]);
      expect(document.querySelector('h1')).not.toBeNull();
    },
  );
});

async function hydrate(html: string, page: React.ReactNode): Promise<unknown[]> {
  const complaints: unknown[] = [];
  vi.spyOn(console, 'error').mockImplementation((...words) => {
    // happy-dom does not know the element.
    if (words[1] !== 'search') complaints.push(words);
  });
  const container = document.createElement('div');
  document.body.append(container);
  container.innerHTML = html;

  await act(async () => {
    const root = hydrateRoot(container, page, { onRecoverableError: (error) => complaints.push(error) });
    onTestFinished(() => root.unmount());
  });
  return complaints;
}
