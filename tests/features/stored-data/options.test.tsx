// @vitest-environment happy-dom
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';

import { ProcedureError } from '../../../src/messaging/wire/errors.ts';
import { catchFile } from '../../support/catch-file.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';
import { first } from '../../support/promises.ts';
import { press, renderOptions } from '../../support/render.tsx';

it('reports only once on a page that the saved data cannot be read, and reads it on a retry', async () => {
  const world = createExtensionWorld();
  world.disk.failReads(new Error('IO error'));
  renderOptions('#/preferences', world);
  await screen.findAllByText('Unavailable while your saved data cannot be read.');
  const reported = screen.getAllByRole('alert').map(({ textContent }) => textContent);

  world.disk.failReads(undefined);
  // The first button is that of the notice.
  fireEvent.click(screen.getAllByRole('button', { name: 'Try again' })[0] as HTMLElement);

  await screen.findByRole('radio', { name: 'Dark' });
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(reported).toEqual([expect.stringMatching(/could not read your saved data.*private browsing mode/)]);
});

it('offers a retry of a call that could not read its data while the rest can be read', async () => {
  let isReadable = false;
  const world = createExtensionWorld({
    handlers: {
      async *'preferences.watch'() {
        if (!isReadable) throw new ProcedureError({ code: 'NOT_READ' });
        yield { theme: 'dark' } as const;
        await new Promise(() => {});
      },
    },
  });
  renderOptions('#/preferences', world);
  await screen.findByText('Unavailable while your saved data cannot be read.');

  isReadable = true;
  const button = screen.getByRole('button', { name: 'Try again' });
  button.focus();
  fireEvent.click(button);

  await screen.findByRole('radio', { name: 'Dark', checked: true });
  expect(screen.queryByText(/^Unavailable/)).toBeNull();
  expect(document.activeElement).not.toBe(document.body);
});

it.each([
  ['nothing', []],
  ['other data', ['journal']],
])('reports that saved data is gone and %s is left, until something is saved again', async (_what, left) => {
  await openWithStored(createExtensionWorld());
  const world = createExtensionWorld();
  for (const key of left) world.disk.write(key, 1);

  renderOptions('#/preferences', world);
  const notice = (await screen.findByRole('alert')).textContent;
  fireEvent.click(await screen.findByRole('radio', { name: 'Light' }));

  await screen.findByText('Saved.');
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  expect(notice).toMatch(/^The browser lost some or all of your saved data/);
});

it('notes the first document that is saved', async () => {
  const world = createExtensionWorld();
  world.disk.write('journal', 1);
  renderOptions('#/preferences', world);
  await vi.waitFor(() => expect(localStorage.getItem('stored')).toBe(''));
  fireEvent.click(await screen.findByRole('radio', { name: 'Dark' }));

  await screen.findByText('Saved.');
  await vi.waitFor(() => expect(localStorage.getItem('stored')).toBe('preferences'));
  expect(screen.queryByRole('alert')).toBeNull();
});

it('does not report data as gone that the person has removed because it could not be read', async () => {
  const world = createExtensionWorld();
  await openWithStored(world);
  world.disk.write('preferences', 'broken');
  // The next background reads the store again.
  world.killWorker();
  renderOptions('#/preferences', world);
  await screen.findByText(/^Some saved data could not be read/);

  press('Remove…');
  fireEvent.click(within(screen.getByRole('dialog')).getByRole('button', { name: 'Remove' }));
  await waitFor(() => expect(screen.queryByRole('alert')).toBeNull());
  cleanup();
  renderOptions('#/preferences', world);
  await screen.findByRole('radio', { name: 'Light' });
  await sleep(50);

  expect(screen.queryByRole('alert')).toBeNull();
});

it('reports that a newer version has written the saved data, and does not change it', async () => {
  const world = createExtensionWorld();
  world.disk.write('preferences', { version: 2, data: {} });
  renderOptions('#/preferences', world);

  const notice = await screen.findByRole('alert');
  fireEvent.click(await screen.findByRole('radio', { name: 'Dark' }));

  await screen.findByText(/Your change was not saved\./);
  expect(notice.textContent).toMatch(/^Your saved data comes from a newer version of this extension/);
  expect(world.disk.read('preferences')).toEqual({ version: 2, data: {} });
});

describe('while the list of unreadable data changes', () => {
  const id = '1000.a.preferences';

  /** Opens the section with one item. `find` makes another value unreadable, and waits until the list has it. */
  async function openWithOne() {
    const world = createExtensionWorld();
    world.disk.write(`quarantine/${id}`, { text: '"one"' });
    const caught = catchFile();
    const { client } = renderOptions('#/preferences', world);
    await screen.findByText(/^1 saved item /);
    async function find(): Promise<void> {
      world.disk.write('preferences', 'broken');
      // The next background reads the store again.
      world.killWorker();
      await first(client.subscribe('preferences.watch'));
      await screen.findByText(/^2 saved items /);
    }
    return { world, caught, client, find };
  }

  it('a copy that is tried again has all that is listed', async () => {
    const { world, caught, find } = await openWithOne();
    world.disk.failReads(new Error('IO error'));
    press('Save a copy');
    const retry = await screen.findByRole('button', { name: 'Try again' });
    world.disk.failReads(undefined);

    await find();
    fireEvent.click(retry);

    expect(JSON.parse(await caught)).toHaveLength(2);
  });

  it('the page no longer says that all is saved', async () => {
    const { find } = await openWithOne();
    press('Save a copy');
    await screen.findByText(/^Saved as/);

    await find();

    expect(screen.queryByText(/^Saved as/)).toBeNull();
  });

  it('only that is removed about which the person was asked', async () => {
    const { world, find } = await openWithOne();
    press('Remove…');
    const dialog = within(screen.getByRole('dialog'));

    await find();
    fireEvent.click(dialog.getByRole('button', { name: 'Remove' }));
    await screen.findByText(/^1 saved item /);

    expect(world.disk.read(`quarantine/${id}`)).toBeUndefined();
    expect(world.disk.read('preferences')).toBe('broken');
  });

  it('the focus stays in the page when another page removes all', async () => {
    const { client } = await openWithOne();
    const button = screen.getByRole('button', { name: 'Save a copy' });
    button.focus();

    await client.mutate('quarantine.discard', { ids: [id] });
    await waitFor(() => expect(button.isConnected).toBe(false));

    expect(document.activeElement).not.toBe(document.body);
  });
});

/** Opens a page of a world that has stored preferences, which the page notes, and closes it. */
async function openWithStored(world: ReturnType<typeof createExtensionWorld>): Promise<void> {
  world.disk.write('preferences', { version: 1, data: { theme: 'dark' } });
  renderOptions('#/preferences', world);
  await vi.waitFor(() => expect(localStorage.getItem('stored')).toBe('preferences'));
  cleanup();
}
