// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';

import { useMutation } from '../../src/ui/calls.ts';
import type { Extension } from '../../src/ui/extension.ts';
import { Page } from '../../src/ui/page.tsx';
import { useSetting } from '../../src/ui/setting.tsx';
import { createExtension } from '../support/create-extension.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import { createDeferred } from '../support/promises.ts';

interface Settings {
  readonly theme: 'system' | 'light' | 'dark';
}

it.each([
  ['as it is stored', { status: 'idle' }, { shown: true, change: { status: 'idle' } }],
  ['as it was chosen', { status: 'pending', input: false }, { shown: false, change: { status: 'saving' } }],
  [
    'as it was saved',
    { status: 'done', input: false, output: undefined },
    { shown: false, change: { status: 'saved' } },
  ],
] as const)('shows a value that is replaced as a whole %s', (_when, mutation, expected) => {
  const { result } = renderHook(() => useSetting<boolean, boolean>(true, mutation));

  expect(result.current).toEqual(expected);
});

it('shows a change of another page that arrives together with the answer to its own change', async () => {
  const initial: Settings = { theme: 'system' };
  const answer = createDeferred<Settings>();
  const { client } = createExtensionWorld().openPage('options');
  const mutate = (): Promise<Settings> => answer.promise;
  const extension = createExtension({ client: { ...client, mutate } as Extension['client'] });
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <Page extension={extension}>{children}</Page>
  );
  const useTheme = (stored: Settings) => {
    const [mutation, update] = useMutation('preferences.update');
    return { ...useSetting(stored, mutation), update };
  };
  const { result, rerender } = renderHook(useTheme, { wrapper, initialProps: initial });

  act(() => void result.current.update({ theme: 'dark' }));
  await act(async () => {
    answer.resolve({ theme: 'dark' });
    await Promise.resolve();
    rerender({ theme: 'light' });
  });

  expect(result.current.change.status).toBe('idle');
  expect(result.current.shown.theme).toBe('light');
});
