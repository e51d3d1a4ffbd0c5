// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import manifest from '../../../manifest.json' with { type: 'json' };
import { createExtensionWorld } from '../../support/extension-world.ts';
import { renderOptions } from '../../support/render.tsx';

it('shows the facts about the extension that the background reports', async () => {
  renderOptions('#/about');

  await screen.findByText('Memory 1');

  expect(screen.getByText(manifest.version)).toBeTruthy();
  expect(screen.getByText('Permissions').nextElementSibling?.textContent).toBe(
    manifest.permissions.join(', '),
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
    `Version: ${manifest.version}`,
    'Extension ID: test-extension-id',
    'Browser: Memory 1',
    `Permissions: ${manifest.permissions.join(', ')}`,
    'Storage used: 1.2 kB',
    'Stored data: preferences (version 1)',
    expect.stringMatching(/^Starts of the background: 1, the latest on \w+ \d+, \d+, \d\d:\d\d:\d\d$/),
  ]);
});
