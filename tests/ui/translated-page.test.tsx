// @vitest-environment happy-dom
import { act, fireEvent, type Matcher, screen } from '@testing-library/react';
import { expect, it } from 'vitest';

import { views } from '../../src/options/views.tsx';
import { english } from '../support/create-extension.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import { createDeferred } from '../support/promises.ts';
import { goTo, press, renderOptions, renderPopup } from '../support/render.tsx';

// https://github.com/facebook/react/issues/11538

it.each([
  ['options page', (world: World) => renderOptions('#/preferences', world)],
  ['popup', (world: World) => renderPopup(world)],
])('the translated %s shows each state of the background', async (_page, open) => {
  const world = createExtensionWorld();
  const { client } = open(world);
  await act(() => client.query('extension.info'));
  await translated(/^Ready/);

  world.killWorker();
  await translated('Idle until needed');
  world.crash(true);
  client.query('extension.info').catch(() => {});
  await screen.findByRole('alert');
  translatePage();
  world.crash(false);
  press('Try again');

  await translated(/^Ready/);
  world.killWorker();
  expect((await screen.findByText('Idle until needed')).isConnected).toBe(true);
});

it('a translated setting says each time that it is saved, or why it is not', async () => {
  const world = createExtensionWorld();
  renderOptions('#/preferences', world);
  const choose = async (name: string) => fireEvent.click(await screen.findByRole('radio', { name }));
  await choose('Dark');
  await translated('Saved.');
  await choose('Light');
  await translated('Saved.');

  world.disk.failWrites(new Error('QuotaExceededError'));
  await choose('Dark');
  await translated(/^Your change was not saved/);
  world.disk.failWrites(undefined);
  press('Try again');

  expect(await screen.findByText('Saved.')).toBeTruthy();
});

it('a translated list of messages shows how a message has ended', async () => {
  const gate = createDeferred();
  const call = { number: 1, at: 1, name: 'call', kind: 'query', caller: 'popup', attempts: 1 } as const;
  const record = { ...call, hasFailed: false };
  const world = createExtensionWorld({
    handlers: {
      'messages.watch': async function* () {
        yield { startedAt: 1, records: [{ ...record, outcome: 'open' }], failures: [] };
        await gate.promise;
        const ended = { ...record, outcome: 'TIMEOUT', incident: '5f0c', hasFailed: true };
        yield { startedAt: 1, records: [ended], failures: [] };
        await new Promise(() => {});
      },
    },
  });
  renderOptions('#/messages', world);
  await translated('Open');

  gate.resolve();

  expect(await screen.findByText('TIMEOUT')).toBeTruthy();
});

it('a translated page shows every view, and a filter that finds nothing', async () => {
  renderOptions('');
  for (const { name } of views) {
    await goTo(`#/${name}`);
    await translated((text, element) => element?.tagName === 'H1' && text === english(name));
  }

  await goTo('#/questions?search=no-such-text');
  await translated(/^No question matches/);
  await goTo('#/questions');

  expect(await screen.findByRole('button', { name: 'Save questionnaire' })).toBeTruthy();
  expect(screen.queryByText(/^No question matches/)).toBeNull();
});

type World = ReturnType<typeof createExtensionWorld>;

/** Waits for a text, and then translates the page. */
async function translated(text: Matcher): Promise<void> {
  await screen.findByText(text);
  translatePage();
}

/** Replaces each text node of the page, as the translator of a browser does. React still knows the old ones. */
function translatePage(): void {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const texts: Node[] = [];
  while (walker.nextNode()) texts.push(walker.currentNode);
  for (const text of texts) {
    const translation = document.createElement('span');
    translation.textContent = text.textContent;
    (text as Text).replaceWith(translation);
  }
}
