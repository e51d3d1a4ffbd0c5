// @vitest-environment happy-dom
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { contract } from '../../src/contract/contract.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import type { MemoryWorld } from '../support/memory-world.ts';
import { renderOptions } from '../support/render-options.tsx';

type World = MemoryWorld<typeof contract>;

const DARK = { format: 'nine-points', version: 1, documents: { preferences: preferences('dark') } };

describe('the export', () => {
  it('is a file with everything that is stored', async () => {
    const saved = watchDownloads();
    const world = openPreferences(preferences('dark'));

    fireEvent.click(button('Export'));

    await screen.findByText(/^Given to the browser to save as nine-points-[\d-]+\.json\.$/);
    expect(world.disk.read('preferences')).toEqual(preferences('dark'));
    expect(await saved()).toMatchObject(DARK);
  });
});

describe('the import', () => {
  it('shows what will change, and changes it when the person agrees', async () => {
    const world = openPreferences();

    choose(JSON.stringify(DARK));
    const dialog = await screen.findByRole('dialog', { name: 'Import this file?' });
    const isUntouched = world.disk.read('preferences') === undefined;
    fireEvent.click(button('Import'));

    await screen.findByText('Imported.');
    expect(dialog.textContent).toContain('preferences.theme"system" "dark"');
    expect(isUntouched).toBe(true);
    expect(world.disk.read('preferences')).toEqual(preferences('dark'));
  });

  it('changes nothing when the person does not agree', async () => {
    const world = openPreferences();

    choose(JSON.stringify(DARK));
    await screen.findByRole('dialog');
    fireEvent.click(button('Cancel'));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(world.disk.read('preferences')).toBeUndefined();
  });

  it('says when there is nothing to change', async () => {
    openPreferences(preferences('dark'));

    choose(JSON.stringify(DARK));

    expect(
      await screen.findByText('The file holds what is stored already. Nothing was changed.'),
    ).toBeTruthy();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['{\n  "format": nine\n}', /It is not JSON: line 2, column 13 cannot be read\./],
    ['{}', /format is missing\./],
    ['"text"', /The file has to be Object and is "text"\./],
    [
      JSON.stringify({ ...DARK, documents: { preferences: preferences('sepia') } }),
      /documents\.preferences\.data\.theme has to be .*"dark".* and is "sepia"\./,
    ],
    [
      JSON.stringify({ ...DARK, documents: { preferences: { version: 9, data: {} } } }),
      /documents\.preferences was written by a newer version/,
    ],
    [JSON.stringify({ ...DARK, documents: { tabs: preferences('dark') } }), /documents\.tabs is nothing/],
    ['{ "a": [1, -0] }', /a\.1 has to be storable and is -0\./],
    ['"\\ud800"', /The file has to be storable and is a lone surrogate\./],
    [
      JSON.stringify({ ...DARK, documents: Object.fromEntries('abcdefg'.split('').map((key) => [key, 1])) }),
      /And 2 more\./,
    ],
  ])('of %s says what is wrong and where', async (text, sentence) => {
    const world = openPreferences();

    choose(text);

    await screen.findByText('This file cannot be imported. Nothing was changed.');
    expect(screen.getByRole('alert').textContent).toMatch(sentence);
    expect(world.disk.keys()).toEqual([]);
  });

  it('that cannot be stored says so, and can be tried again', async () => {
    const world = openPreferences();
    choose(JSON.stringify(DARK));
    await screen.findByRole('dialog');
    world.disk.failWrites(new Error('disk full'));

    fireEvent.click(button('Import'));
    const alert = (await screen.findByRole('alert')).textContent;
    world.disk.failWrites(undefined);
    fireEvent.click(button('Try again'));

    await screen.findByText('Imported.');
    expect(alert).toContain('The browser could not store it.');
  });
});

describe('the reset', () => {
  it('asks first', async () => {
    const world = openPreferences(preferences('dark'));

    fireEvent.click(button('Reset…'));
    await screen.findByRole('dialog', { name: 'Reset everything?' });
    fireEvent.click(button('Cancel'));

    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(world.disk.read('preferences')).toEqual(preferences('dark'));
  });

  it('can be undone, also after the person has been in another view', async () => {
    const world = openPreferences(preferences('dark'));
    fireEvent.click(button('Reset…'));
    fireEvent.click(button('Reset'));
    await screen.findByText('Everything is as it was at first.');
    const afterReset = world.disk.read('preferences');

    location.hash = '#/about';
    await screen.findByRole('heading', { level: 1, name: 'About' });
    location.hash = '#/preferences';
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }));

    const told = await screen.findByText('Everything is as it was before the reset.');
    expect(document.activeElement).toBe(told.parentElement);
    expect(afterReset).toEqual(preferences('system'));
    expect(world.disk.read('preferences')).toEqual(preferences('dark'));
  });

  it('that nobody can tell of says so, and offers no second one that would lose the way back', async () => {
    const world = openPreferences(preferences('dark'));
    fireEvent.click(button('Reset…'));
    const confirm = button('Reset');

    await endInDoubt(world, confirm);

    expect(textsAbout('Everything may have been reset.')).toEqual([
      'Everything may have been reset.The background did not answer in time. Reload this page to see what is stored now.',
      'Reload this page',
    ]);
  });

  it('keeps the way back when nobody can tell whether it was undone', async () => {
    const world = openPreferences(preferences('dark'));
    fireEvent.click(button('Reset…'));
    fireEvent.click(button('Reset'));
    const undo = await screen.findByRole('button', { name: 'Undo' });

    await endInDoubt(world, undo);
    const [told] = textsAbout('The reset may not have been undone.');
    world.mute(false);
    world.killWorker();
    screen.getAllByRole('button', { name: 'Try again' }).forEach((retry) => fireEvent.click(retry));

    await screen.findByText('Everything is as it was before the reset.');
    expect(told).toMatch(/Try again\.$/);
    expect(world.disk.read('preferences')).toEqual(preferences('dark'));
  });
});

describe('what could not be read', () => {
  it('is told of in every view, saved as it was found, and removed when the person wants that', async () => {
    const saved = watchDownloads();
    const world = createExtensionWorld();
    world.disk.write('preferences', 'eaten');
    renderOptions('#/specification', world);

    const notice = (await screen.findByRole('alert')).textContent;
    const address = screen.getByRole('link', { name: 'See what can be done.' }).getAttribute('href');
    location.hash = '#/preferences';
    fireEvent.click(await screen.findByRole('button', { name: 'Save a copy' }));
    await screen.findByText(/save as nine-points-unreadable-/);
    const copy = await saved();
    fireEvent.click(button('Remove…'));
    fireEvent.click(button('Remove'));

    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(notice).toContain('Something that was stored could not be read.');
    expect(address).toBe('#/preferences');
    expect(copy).toEqual([{ document: 'preferences', at: expect.any(Number), value: 'eaten' }]);
    expect(world.disk.read('quarantine')).toEqual({ version: 1, data: [] });
    expect(screen.queryByRole('button', { name: 'Save a copy' })).toBeNull();
    expect(screen.getByText('What could not be read was removed.').role).toBe('status');
    expect(document.activeElement?.contains(screen.getByText('What could not be read was removed.'))).toBe(
      true,
    );
    expect(document.activeElement).not.toBe(document.body);
  });
});

describe('what is gone', () => {
  it('is not told of where the first thing that is stored is a reset', async () => {
    openPreferences();
    const said: string[] = [];
    const alerts = new MutationObserver(() =>
      said.push(...screen.queryAllByRole('alert').map(({ textContent }) => textContent)),
    );
    alerts.observe(document.body, { childList: true, subtree: true });

    fireEvent.click(button('Reset…'));
    fireEvent.click(button('Reset'));
    await screen.findByText('Everything is as it was at first.');
    await waitFor(() => expect(localStorage.length).toBeGreaterThan(0));
    alerts.disconnect();

    expect(said).toEqual([]);
  });

  it('is told of where something was stored before, until something is again', async () => {
    const first = openPreferences(preferences('dark'));
    await vi.waitFor(() => expect(localStorage.length).toBeGreaterThan(0));
    cleanup();

    const world = openPreferences();
    const notice = (await screen.findByRole('alert')).textContent;
    fireEvent.click(await screen.findByRole('radio', { name: 'Light' }));
    await screen.findByText('Saved.');
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());

    expect(world.disk.read('preferences')).toEqual(preferences('light'));
    expect(first.disk.read('preferences')).toEqual(preferences('dark'));
    expect(notice).toMatch(/^What was stored is gone/);
  });
});

describe('what a newer version has written and a file would change', () => {
  it('is told of before anything is asked', async () => {
    openPreferences({ version: 2, data: {} });

    choose(JSON.stringify(DARK));

    await screen.findByText('A newer version of the extension has written what is stored.');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('what a newer version has written', () => {
  it('is told of, and cannot be changed', async () => {
    const world = openPreferences({ version: 2, data: {} });

    const notice = await screen.findByRole('alert');
    fireEvent.click(await screen.findByRole('radio', { name: 'Dark' }));

    await screen.findByText(/The theme was not saved\./);
    expect(notice.textContent).toMatch(/^A newer version of this extension has written what is stored\./);
    expect(world.disk.read('preferences')).toEqual({ version: 2, data: {} });
  });
});

function preferences(theme: string): { version: number; data: { theme: string; recordMessages: boolean } } {
  return { version: 1, data: { theme, recordMessages: false } };
}

function openPreferences(stored?: { version: number; data: object }): World {
  const world = createExtensionWorld();
  if (stored !== undefined) world.disk.write('preferences', stored as never);
  renderOptions('#/preferences', world);
  return world;
}

/** Presses a button whose call finds a worker that never answers, and lets the deadline pass. */
async function endInDoubt(world: World, pressed: HTMLElement): Promise<void> {
  world.mute(true);
  world.killWorker();
  vi.useFakeTimers();
  fireEvent.click(pressed);
  await act(() => vi.advanceTimersByTimeAsync(10_000));
  vi.useRealTimers();
}

/** What an alert says, and the button beside it. */
function textsAbout(sentence: string): (string | null)[] {
  const alert = screen.getByText(sentence).closest('[role=alert]');
  return [...(alert?.parentElement?.children ?? [])].map(({ textContent }) => textContent);
}

function button(name: string): HTMLElement {
  return screen.getByRole('button', { name });
}

function choose(text: string): void {
  const file = new File([text], 'chosen.json', { type: 'application/json' });
  fireEvent.change(screen.getByLabelText('File to import'), { target: { files: [file] } });
}

/** Gives a function that reads what the page last had saved. */
function watchDownloads(): () => Promise<unknown> {
  let saved: Blob | undefined;
  const create = vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) => {
    saved = blob as Blob;
    return 'blob:saved';
  });
  // A click on a download would lead happy-dom to its address.
  const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  onTestFinished(() => {
    create.mockRestore();
    click.mockRestore();
  });
  return async () => JSON.parse((await saved?.text()) ?? 'null') as unknown;
}
