// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { english } from '../support/create-extension.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import { renderPopup } from '../support/render.tsx';

it.each([
  ['Open options', ''],
  ['Save or remove the data', '#/preferences'],
])(
  'the link "%s" opens the options page, and a click with Ctrl is left to the browser',
  async (name, hash) => {
    const world = createExtensionWorld();
    world.disk.write('preferences', 'unreadable');
    const { opened } = renderPopup(world);
    const link = await screen.findByRole('link', { name });

    const isFollowed = fireEvent.click(link);
    // The browser's own action is not part of this test.
    link.removeAttribute('href');
    const isFollowedWithCtrl = fireEvent.click(link, { ctrlKey: true });

    expect(opened).toEqual([hash]);
    expect([isFollowed, isFollowedWithCtrl]).toEqual([false, true]);
  },
);

it('shows its name, and the state of the background only if something is wrong', () => {
  renderPopup();

  expect(screen.getByText(english('extension_name'))).toBeTruthy();
  expect(screen.getByText(/^(?:Idle until needed|Connecting…)$/).closest('[hidden]')).toBeTruthy();
});

it('says what to do if the saved data cannot be read', async () => {
  const world = createExtensionWorld();
  world.disk.failReads(new Error('IO error'));
  renderPopup(world);

  const { textContent } = await screen.findByRole('alert');

  expect(textContent).toMatch(/could not read your saved data.*private browsing mode/);
});
