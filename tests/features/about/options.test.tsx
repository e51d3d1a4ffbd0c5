// @vitest-environment happy-dom
import { screen } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import manifest from '../../../manifest.json' with { type: 'json' };
import { press, renderOptions } from '../../support/render.tsx';

it('shows the facts about the extension, and copies them for a bug report', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  renderOptions('#/about');
  await screen.findByText(/^1, the latest on/);
  const shown = screen.getAllByRole('definition').map(({ textContent }) => textContent);

  press('Copy for a bug report');

  expect((await screen.findByText('Copied.')).role).toBe('status');
  const copied = writeText.mock.calls[0]?.[0].split('\n') ?? [];
  expect(copied.map((line) => line.replace(/^[^:]+: /u, ''))).toEqual(shown);
  // Other features may add further facts.
  expect(copied.slice(0, 5)).toEqual([
    `Version: ${manifest.version}`,
    'Extension ID: test-extension-id',
    `Browser: ${navigator.userAgent}`,
    `Permissions: ${manifest.permissions.join(', ')}`,
    expect.stringMatching(/^Starts of the background: 1, the latest on \w+ \d+, \d+, \d\d:\d\d:\d\d$/),
  ]);
});
