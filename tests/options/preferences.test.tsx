// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import { createHandlers } from '../../src/background/handlers.ts';
import { createMessageLog } from '../../src/background/message-log.ts';
import { contract } from '../../src/contract/contract.ts';
import { createDeferred } from '../support/create-deferred.ts';
import { createExtensionWorld, worldInfo } from '../support/extension-world.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import { renderOptions } from '../support/render.tsx';

describe('the theme', () => {
  it('is one of three, and at first that of the system', async () => {
    renderOptions('#/preferences');

    const group = await screen.findByRole('group', { name: 'Theme' });

    const choices = screen.getAllByRole<HTMLInputElement>('radio');
    expect(group.contains(choices[0] ?? null)).toBe(true);
    expect(choices.map(({ checked }) => checked)).toEqual([true, false, false]);
  });

  it('waits for the worker before it can be chosen', () => {
    const world = createExtensionWorld();
    world.mute(true);

    renderOptions('#/preferences', world);

    expect(screen.getByText('Loading…')).toBeTruthy();
    expect(screen.queryByRole('radio')).toBeNull();
  });

  it('is shown as chosen at once, as being saved, and then as saved', async () => {
    const world = createExtensionWorld();
    renderOptions('#/preferences', world);

    fireEvent.click(await theme('Dark'));
    const isSaving = screen.queryByText('Saving…');
    const isChosen = screen.getByRole<HTMLInputElement>('radio', { name: 'Dark' }).checked;

    await screen.findByText('Saved.');
    expect(isChosen).toBe(true);
    expect(isSaving).not.toBeNull();
    expect((await theme('Dark')).checked).toBe(true);
    expect(world.disk.read('preferences')).toMatchObject({ version: 1, data: { theme: 'dark' } });
  });

  it('is that of the last of several quick choices', async () => {
    const world = createExtensionWorld();
    renderOptions('#/preferences', world);

    for (const name of ['Dark', 'Light', 'Dark', 'Light']) fireEvent.click(await theme(name));
    await screen.findByText('Saved.');

    expect((await theme('Light')).checked).toBe(true);
    expect(world.disk.read('preferences')).toMatchObject({ version: 1, data: { theme: 'light' } });
  });

  it('shows the last choice while an earlier one is still being saved', async () => {
    const gates = { system: createDeferred(), light: createDeferred(), dark: createDeferred() };
    const handlers = createHandlers({
      describeExtension: async () => worldInfo,
      progress: { answered: 0, total: 9 },
      messageLog: createMessageLog(),
      setPopupTheme: () => {},
    });
    const world = createMemoryWorld({
      contract,
      handlers: {
        ...handlers,
        'preferences.update': async (context) => {
          await gates[context.input.theme ?? 'system'].promise;
          return handlers['preferences.update'](context);
        },
      },
    });
    renderOptions('#/preferences', world);
    fireEvent.click(await theme('Dark'));
    fireEvent.click(await theme('Light'));

    gates.dark.resolve();
    await waitFor(() => expect(document.documentElement.dataset['theme']).toBe('dark'));
    const [isLight, isSaving] = [(await theme('Light')).checked, screen.queryByText('Saving…')];
    gates.light.resolve();

    await screen.findByText('Saved.');
    expect(isLight).toBe(true);
    expect(isSaving).not.toBeNull();
  });

  it('follows a change that another page makes', async () => {
    const world = createExtensionWorld();
    renderOptions('#/preferences', world);
    await theme('Light');

    await world.openPage('options').client.mutate('preferences.update', { theme: 'light' });

    await waitFor(async () => expect((await theme('Light')).checked).toBe(true));
    expect(document.documentElement.dataset['theme']).toBe('light');
  });

  it('is reverted when it cannot be stored, says what to do, and can be retried', async () => {
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

  it('is reverted when the worker rejects it', async () => {
    const world = createExtensionWorld();
    renderOptions('#/preferences', world, 'popup');

    fireEvent.click(await theme('Dark'));

    expect((await screen.findByRole('alert')).textContent).toBe(
      'The theme was not saved.This page is not allowed to do that. Nothing was changed.',
    );
    expect((await theme('Dark')).checked).toBe(false);
  });

  it('says that it may not have been saved when that is unknown', async () => {
    const world = createExtensionWorld();
    renderOptions('#/preferences', world);
    const dark = await theme('Dark');
    world.mute(true);
    world.killWorker();
    vi.useFakeTimers();
    onTestFinished(() => {
      vi.useRealTimers();
    });

    fireEvent.click(dark);
    await act(() => vi.advanceTimersByTimeAsync(10_000));

    expect(screen.getByText('The theme may not have been saved.')).toBeTruthy();
  });
});

function theme(name: string): Promise<HTMLInputElement> {
  return screen.findByRole<HTMLInputElement>('radio', { name });
}
