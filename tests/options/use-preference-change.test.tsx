// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, vi } from 'vitest';

import type { Preferences } from '../../src/contract/preferences.ts';
import { usePreferenceChange } from '../../src/options/use-preference-change.ts';
import { Page } from '../../src/ui/page.tsx';
import { english } from '../support/english.ts';
import { createExtensionWorld } from '../support/extension-world.ts';

it('shows the last choice although the worker told of an earlier one meanwhile', async () => {
  const world = createExtensionWorld();
  const { client } = world.openPage('options');
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <Page extension={{ client, translate: english }}>{children}</Page>
  );
  const initialProps: Preferences = { theme: 'system', recordMessages: false };
  const { result, rerender } = renderHook((preferences: Preferences) => usePreferenceChange(preferences), {
    wrapper,
    initialProps,
  });

  await act(async () => {
    result.current.choose({ theme: 'dark' });
    result.current.choose({ theme: 'light' });
    rerender({ theme: 'dark', recordMessages: false });
    await vi.waitFor(() =>
      expect(world.disk.read('preferences')).toMatchObject({ data: { theme: 'light' } }),
    );
  });
  await vi.waitFor(() => expect(result.current.change.status).toBe('saved'));

  expect(result.current.shown.theme).toBe('light');
});
