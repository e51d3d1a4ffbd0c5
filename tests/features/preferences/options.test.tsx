// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import type { Api } from '../../../src/background/features.ts';
import { preferencesFeature } from '../../../src/features/preferences/background.ts';
import { applySavedTheme } from '../../../src/features/preferences/saved-theme.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';
import type { Handler } from '../../support/handlers.ts';
import { createDeferred } from '../../support/promises.ts';
import { goTo, press, renderOptions } from '../../support/render.tsx';

const updatePreferences = preferencesFeature.procedures['preferences.update'].handle as Handler<
  Api['preferences.update']
>;

it('shows the last of several choices at once, while it is saved and afterwards', async () => {
  const gates = { system: createDeferred(), light: createDeferred(), dark: createDeferred() };
  const world = createExtensionWorld({
    handlers: {
      'preferences.update': async (context) => {
        await gates[context.input.theme ?? 'system'].promise;
        return updatePreferences(context);
      },
    },
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

it('follows a change of another page, and shows “Saved.” only until then', async () => {
  const world = createExtensionWorld();
  const other = world.openPage('options').client;
  renderOptions('#/preferences', world);
  fireEvent.click(await theme('Dark'));
  await screen.findByText('Saved.');

  await other.mutate('preferences.update', {});
  const isStillSaid = screen.queryByText('Saved.') !== null;
  await other.mutate('preferences.update', { theme: 'light' });

  await waitFor(async () => expect((await theme('Light')).checked).toBe(true));
  expect(isStillSaid).toBe(true);
  expect(screen.queryByText('Saved.')).toBeNull();
  expect(document.documentElement.dataset['theme']).toBe('light');
});

it('reverts a choice that cannot be stored, explains what to do, and retries it, each time with a new alert', async () => {
  const world = createExtensionWorld();
  renderOptions('#/preferences', world);
  await theme('Dark');
  world.disk.failWrites(new Error('QuotaExceededError: secret'));

  fireEvent.click(await theme('Dark'));
  const alert = (await screen.findByRole('alert')).textContent;
  const isChosen = (await theme('Dark')).checked || localStorage.getItem('theme') === 'dark';
  // A screen reader announces an alert that was gone.
  press('Try again');
  screen.getByText('Saving…');
  const isAlertGone = screen.queryByRole('alert') === null;
  await screen.findByRole('alert');
  world.disk.failWrites(undefined);
  press('Try again');

  await screen.findByText('Saved.');
  expect(isAlertGone).toBe(true);
  expect(alert).toBe(
    'Your change was not saved.The browser could not save this. Nothing was changed. Free some disk space and try again.',
  );
  expect(isChosen).toBe(false);
  expect((await theme('Dark')).checked).toBe(true);
  expect(screen.queryByRole('alert')).toBeNull();
});

it('saves a choice for the next page at once, but not if it fails after the person has left the view', async () => {
  const world = createExtensionWorld();
  renderOptions('#/preferences', world);
  const dark = await theme('Dark');
  const before = localStorage.getItem('theme');
  world.disk.failWrites(new Error('QUOTA_BYTES'));

  fireEvent.click(dark);
  const chosen = localStorage.getItem('theme');
  await goTo('#/about');

  expect([before, chosen, localStorage.getItem('theme')]).toEqual(['system', 'dark', 'system']);
});

it('starts a page in the theme of the system if `localStorage` is not allowed', () => {
  const refuse = (): never => {
    throw new DOMException('denied', 'SecurityError');
  };
  vi.stubGlobal('localStorage', { getItem: refuse });
  delete document.documentElement.dataset['theme'];

  applySavedTheme();

  expect(document.documentElement.dataset['theme']).toBeUndefined();
});

it('reports that a choice may not have been saved when the outcome is unknown', async () => {
  const world = createExtensionWorld();
  renderOptions('#/preferences', world);
  const dark = await theme('Dark');
  world.mute(true);
  world.killWorker();
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());

  fireEvent.click(dark);
  await act(() => vi.advanceTimersByTimeAsync(10_000));

  // Another attempt could take effect twice, so none is offered.
  const alert = screen.getByText('Your change may not have been saved.').closest('[role=alert]');
  expect(alert?.textContent).toMatch(/Reload this page to see what was saved\.$/);
  expect(alert?.nextElementSibling?.textContent).toBe('Reload this page');
});

function theme(name: string): Promise<HTMLInputElement> {
  return screen.findByRole<HTMLInputElement>('radio', { name });
}
