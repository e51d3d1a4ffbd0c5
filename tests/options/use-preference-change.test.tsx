// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it } from 'vitest';

import type { Preferences } from '../../src/contract/preferences.ts';
import { usePreferenceChange } from '../../src/options/preferences.tsx';
import type { Extension } from '../../src/ui/extension.ts';
import { Page } from '../../src/ui/page.tsx';
import { createDeferred } from '../support/create-deferred.ts';
import type { Deferred } from '../support/create-deferred.ts';
import { createExtensionWorld, english } from '../support/extension-world.ts';

const initial: Preferences = { theme: 'system', recordMessages: false };

it('shows the last choice although the worker sent an earlier one in between', async () => {
  const { answers, result, rerender } = render();

  act(() => {
    result.current.choose({ theme: 'dark' });
    result.current.choose({ theme: 'light' });
  });
  rerender({ ...initial, theme: 'dark' });
  await act(async () => {
    answers[0]?.resolve({ ...initial, theme: 'dark' });
    answers[1]?.resolve({ ...initial, theme: 'light' });
  });

  expect(result.current.change.status).toBe('saved');
  expect(result.current.shown.theme).toBe('light');
});

it('shows the change of another page that arrives together with the answer', async () => {
  const { answers, result, rerender } = render();

  act(() => result.current.choose({ theme: 'dark' }));
  await act(async () => {
    answers[0]?.resolve({ ...initial, theme: 'dark' });
    await Promise.resolve();
    rerender({ ...initial, theme: 'light' });
  });

  expect(result.current.change.status).toBe('idle');
  expect(result.current.shown.theme).toBe('light');
});

it('stops saying that a change was saved when another page changes the same preference', async () => {
  const { answers, result, rerender } = render();

  act(() => result.current.choose({ recordMessages: true }));
  await act(async () => answers[0]?.resolve({ ...initial, recordMessages: true }));
  rerender({ ...initial, recordMessages: true });
  const afterOwn = result.current.change.status;
  rerender({ theme: 'dark', recordMessages: true });
  const afterOther = result.current.change.status;
  rerender({ theme: 'dark', recordMessages: false });

  expect([afterOwn, afterOther, result.current.change.status]).toEqual(['saved', 'saved', 'idle']);
});

/** The hook over a worker whose answers the test gives. */
function render() {
  const answers: Deferred<Preferences>[] = [];
  const mutate = (): Promise<Preferences> => {
    const answer = createDeferred<Preferences>();
    answers.push(answer);
    return answer.promise;
  };
  const { client } = createExtensionWorld().openPage('options');
  const extension = { client: { ...client, mutate } as Extension['client'], translate: english };
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <Page extension={extension}>{children}</Page>
  );
  return {
    answers,
    ...renderHook((preferences: Preferences) => usePreferenceChange(preferences), {
      wrapper,
      initialProps: initial,
    }),
  };
}
