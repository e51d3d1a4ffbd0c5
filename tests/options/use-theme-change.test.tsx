// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';

import type { Preferences } from '../../src/contract/preferences.ts';
import { useThemeChange } from '../../src/options/use-theme-change.ts';
import { Page } from '../../src/ui/page.tsx';
import { english } from '../support/english.ts';
import { createExtensionWorld } from '../support/extension-world.ts';

it('shows the last choice although the worker told of an earlier one meanwhile', async () => {
  const world = createExtensionWorld();
  const { client } = world.openPage('options');
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <Page extension={{ client, translate: english }}>{children}</Page>
  );
  const initialProps: Preferences = { theme: 'system' };
  const { result, rerender } = renderHook((preferences: Preferences) => useThemeChange(preferences), {
    wrapper,
    initialProps,
  });

  await act(async () => {
    result.current.choose('dark');
    result.current.choose('light');
    rerender({ theme: 'dark' });
    await vi.waitFor(() =>
      expect(world.disk.read('preferences')).toMatchObject({ data: { theme: 'light' } }),
    );
  });
  await vi.waitFor(() => expect(result.current.change.status).toBe('saved'));

  expect(result.current.theme).toBe('light');
});
