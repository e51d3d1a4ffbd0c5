// @vitest-environment happy-dom
import { act, fireEvent, renderHook, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, it, onTestFinished, vi } from 'vitest';

import type { Preferences } from '../../src/contract/preferences.ts';
import { usePreferenceChange } from '../../src/options/preferences.tsx';
import type { Extension } from '../../src/ui/extension.ts';
import { Page } from '../../src/ui/page.tsx';
import { createDeferred } from '../support/promises.ts';
import { createExtensionWorld, english } from '../support/extension-world.ts';
import { renderOptions } from '../support/render.tsx';

it('shows the last of several choices at once, as being saved, and then as saved', async () => {
  const gates = { system: createDeferred(), light: createDeferred(), dark: createDeferred() };
  const world = createExtensionWorld({
    replace: (own) => ({
      'preferences.update': async (context) => {
        await gates[context.input.theme ?? 'system'].promise;
        return own['preferences.update'](context);
      },
    }),
  });
  renderOptions('#/preferences', world);
  const isOffered = screen.queryByRole('radio') !== null;
  const isSystem = (await theme('Match system')).checked;
  fireEvent.click(await theme('Dark'));
  fireEvent.click(await theme('Light'));

  gates.dark.resolve();
  await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
  const [isLight, isSaving] = [(await theme('Light')).checked, screen.queryByText('Saving…') !== null];
  gates.light.resolve();

  await screen.findByText('Saved.');
  expect([isOffered, isSystem, isLight, isSaving]).toEqual([false, true, true, true]);
  expect((await theme('Light')).checked).toBe(true);
  expect(world.disk.read('preferences')).toMatchObject({ data: { theme: 'light' } });
});

it('follows a change that another page makes, and says “Saved.” only as long as it is true', async () => {
  const world = createExtensionWorld();
  const other = world.openPage('options').client;
  renderOptions('#/preferences', world);
  fireEvent.click(await theme('Dark'));
  await screen.findByText('Saved.');

  await other.mutate('preferences.update', { recordMessages: true });
  const isStillSaid = screen.queryByText('Saved.') !== null;
  await other.mutate('preferences.update', { theme: 'light' });

  await waitFor(async () => expect((await theme('Light')).checked).toBe(true));
  expect(isStillSaid).toBe(true);
  expect(screen.queryByText('Saved.')).toBeNull();
  expect(document.documentElement.dataset['theme']).toBe('light');
});

it('reverts a choice that cannot be stored, says what to do, and can be retried', async () => {
  const world = createExtensionWorld();
  renderOptions('#/preferences', world);
  await theme('Dark');
  world.disk.failWrites(new Error('QuotaExceededError: secret'));

  fireEvent.click(await theme('Dark'));
  const alert = (await screen.findByRole('alert')).textContent;
  const isChosen = (await theme('Dark')).checked;
  world.disk.failWrites(undefined);
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

  await screen.findByText('Saved.');
  expect(alert).toBe(
    'The theme was not saved.The browser could not save this. Nothing was changed. Free some disk space and try again.',
  );
  expect(isChosen).toBe(false);
  expect((await theme('Dark')).checked).toBe(true);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('says that a choice may not have been saved when that is unknown', async () => {
  const world = createExtensionWorld();
  renderOptions('#/preferences', world);
  const dark = await theme('Dark');
  world.mute(true);
  world.killWorker();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());

  fireEvent.click(dark);
  await act(() => vi.advanceTimersByTimeAsync(10_000));

  expect(screen.getByText('The theme may not have been saved.')).toBeTruthy();
});

it('shows the change of another page that arrives together with the answer', async () => {
  const initial: Preferences = { theme: 'system', recordMessages: false };
  const answer = createDeferred<Preferences>();
  const { client } = createExtensionWorld().openPage('options');
  const mutate = (): Promise<Preferences> => answer.promise;
  const extension = { client: { ...client, mutate } as Extension['client'], translate: english };
  const wrapper = ({ children }: { readonly children: ReactNode }) => (
    <Page extension={extension}>{children}</Page>
  );
  const { result, rerender } = renderHook(usePreferenceChange, { wrapper, initialProps: initial });

  act(() => result.current.choose({ theme: 'dark' }));
  await act(async () => {
    answer.resolve({ ...initial, theme: 'dark' });
    await Promise.resolve();
    rerender({ ...initial, theme: 'light' });
  });

  expect(result.current.change.status).toBe('idle');
  expect(result.current.shown.theme).toBe('light');
});

function theme(name: string): Promise<HTMLInputElement> {
  return screen.findByRole<HTMLInputElement>('radio', { name });
}
