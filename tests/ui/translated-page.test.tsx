// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { views } from '../../src/options/views.tsx';
import { english } from '../support/create-extension.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import { goTo, press, renderOptions, renderPopup } from '../support/render.tsx';
import { translatePage, translateWhen } from '../support/translate-page.ts';

it.each([
  ['options page', (world: World) => renderOptions('#/preferences', world)],
  ['popup', (world: World) => renderPopup(world)],
])('the translated %s shows each state of the background', async (_page, open) => {
  const world = createExtensionWorld();
  const { client } = open(world);
  await act(() => client.query('extension.info'));
  await translateWhen(/^Ready/);

  world.killWorker();
  await translateWhen('Idle until needed');
  world.crash(true);
  client.query('extension.info').catch(() => {});
  await screen.findByRole('alert');
  translatePage();
  world.crash(false);
  press('Try again');

  await translateWhen(/^Ready/);
  world.killWorker();
  expect((await screen.findByText('Idle until needed')).isConnected).toBe(true);
});

it('a translated setting says each time that it is saved, or why it is not', async () => {
  const world = createExtensionWorld();
  renderOptions('#/preferences', world);
  const choose = async (name: string) => fireEvent.click(await screen.findByRole('radio', { name }));
  await choose('Dark');
  await translateWhen('Saved.');
  await choose('Light');
  await translateWhen('Saved.');

  world.disk.failWrites(new Error('QuotaExceededError'));
  await choose('Dark');
  await translateWhen(/^Your change was not saved/);
  world.disk.failWrites(undefined);
  press('Try again');

  expect(await screen.findByText('Saved.')).toBeTruthy();
});

it('a translated page shows every view', async () => {
  renderOptions('');
  for (const { name } of views) {
    await goTo(`#/${name}`);
    expect(await screen.findByRole('heading', { level: 1, name: english(name) })).toBeTruthy();
    translatePage();
  }
});

type World = ReturnType<typeof createExtensionWorld>;
