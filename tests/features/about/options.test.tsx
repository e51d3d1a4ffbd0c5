// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import { createExtensionWorld, worldInfo } from '../../support/extension-world.ts';
import { renderOptions } from '../../support/render.tsx';

it('shows the facts about the extension that the background reports', async () => {
  renderOptions('#/about');

  await screen.findByText(worldInfo.browser);

  expect(screen.getByText(worldInfo.version)).toBeTruthy();
  expect(screen.getByText('Permissions').nextElementSibling?.textContent).toBe(
    worldInfo.permissions.join(', '),
  );
  expect(await screen.findByText('1.2 kB')).toBeTruthy();
});

it('copies the facts for a bug report', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => writeText.mockRestore());
  const world = createExtensionWorld();
  world.disk.write('preferences', { version: 1, data: { theme: 'dark' } });
  renderOptions('#/about', world);
  await screen.findByText('preferences (version 1)');

  fireEvent.click(screen.getByRole('button', { name: 'Copy for a bug report' }));

  expect((await screen.findByText('Copied.')).role).toBe('status');
  // Other features may add further facts.
  expect(writeText.mock.calls[0]?.[0].split('\n').slice(0, 7)).toEqual([
    'Version: 1.2.3',
    'Extension ID: worldextension',
    'Browser: Memory 1',
    `Permissions: ${worldInfo.permissions.join(', ')}`,
    'Storage used: 1.2 kB',
    'Stored data: preferences (version 1)',
    expect.stringMatching(/^Starts of the background: 2, the latest on Jan \d+, 2026, \d\d:00:00$/),
  ]);
});
