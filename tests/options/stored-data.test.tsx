// @vitest-environment happy-dom
import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, onTestFinished, vi } from 'vitest';

import type { contract } from '../../src/contract/contract.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import type { MemoryWorld } from '../support/memory-world.ts';
import { renderOptions } from '../support/render.tsx';

type World = MemoryWorld<typeof contract>;

describe('what could not be read', () => {
  it('is reported in every view, saved as it was found, and removed when the person confirms', async () => {
    const saved = watchDownloads();
    const world = createExtensionWorld();
    world.disk.write('preferences', 'eaten');
    renderOptions('#/specification', world);

    const notice = (await screen.findByRole('alert')).textContent;
    const address = screen.getByRole('link', { name: 'See your options' }).getAttribute('href');
    location.hash = '#/preferences';
    fireEvent.click(await screen.findByRole('button', { name: 'Save a copy' }));
    await screen.findByText(/^Saving as nine-points-unreadable-/);
    const copy = await saved();
    fireEvent.click(button('Remove…'));
    fireEvent.click(button('Remove'));

    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(notice).toContain('Some saved data could not be read.');
    expect(address).toBe('#/preferences');
    expect(copy).toEqual([{ document: 'preferences', at: expect.any(Number), value: 'eaten' }]);
    expect(world.disk.read('quarantine')).toEqual({ version: 2, data: [] });
    expect(screen.queryByRole('button', { name: 'Save a copy' })).toBeNull();
    expect(screen.getByText('The unreadable data was removed.').role).toBe('status');
    expect(document.activeElement?.contains(screen.getByText('The unreadable data was removed.'))).toBe(true);
    expect(document.activeElement).not.toBe(document.body);
  });
});

describe('what the browser cannot read', () => {
  it('is reported once on a page, and read when it is tried again', async () => {
    const world = createExtensionWorld();
    world.disk.failReads(new Error('IO error'));
    renderOptions('#/preferences', world);
    await screen.findByText('Not known while your saved data cannot be read.');
    const reported = screen.getAllByRole('alert').map(({ textContent }) => textContent);

    world.disk.failReads(undefined);
    fireEvent.click(button('Try again'));

    await screen.findByRole('radio', { name: 'Dark' });
    await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
    expect(reported).toEqual([expect.stringContaining('The browser could not read your saved data.')]);
  });
});

describe('what is gone', () => {
  it('is reported where something was stored before, until something is stored again', async () => {
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
    expect(notice).toMatch(/^Your saved data is gone/);
  });
});

describe('what a newer version has written', () => {
  it('is reported, and cannot be changed', async () => {
    const world = openPreferences({ version: 2, data: {} });

    const notice = await screen.findByRole('alert');
    fireEvent.click(await screen.findByRole('radio', { name: 'Dark' }));

    await screen.findByText(/The theme was not saved\./);
    expect(notice.textContent).toMatch(/^Your saved data comes from a newer version of this extension/);
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

function button(name: string): HTMLElement {
  return screen.getByRole('button', { name });
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
