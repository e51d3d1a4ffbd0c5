// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it } from 'vitest';

import { createHandlers } from '../../src/background/handlers.ts';
import { createMessageLog } from '../../src/background/message-log.ts';
import { contract } from '../../src/contract/contract.ts';
import { createExtensionWorld, worldInfo } from '../support/extension-world.ts';
import { createMemoryWorld } from '../support/memory-world.ts';
import { renderOptions } from '../support/render.tsx';

it('follows the messages again when the person tries again after an error', async () => {
  let isBroken = true;
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
      'messages.watch': (call) => {
        if (isBroken) throw new Error('broken');
        return handlers['messages.watch'](call);
      },
    },
  });
  renderOptions('#/messages', world);
  await screen.findByText('The background failed unexpectedly.');

  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

  await waitFor(() => expect(screen.queryByText('The background failed unexpectedly.')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

describe('the messages', () => {
  it('continue after they were paused and cleared', async () => {
    const world = await showRecording();
    press('Pause');
    press('Clear');
    await screen.findByText('Nothing recorded yet.');

    press('Resume');
    await world.openPage('popup').client.query('questions.count');

    expect(await screen.findByRole('option', { name: 'questions.count' })).toBeTruthy();
  });

  it('keep showing a filter that no message matches, so that it can be removed', async () => {
    const world = await showRecording();
    await world.openPage('popup').client.query('questions.count');
    await screen.findByRole('option', { name: 'popup' });
    fireEvent.change(screen.getByLabelText('Caller'), { target: { value: 'popup' } });
    press('Clear');

    await world.openPage('options').client.query('extension.info');
    await screen.findByText('No messages match the filter.');
    const chosen = screen.getByLabelText<HTMLSelectElement>('Caller').value;
    fireEvent.change(screen.getByLabelText('Caller'), { target: { value: '' } });

    expect(chosen).toBe('popup');
    expect(await screen.findByText('1 message')).toBeTruthy();
  });
});

/** The options page's view of a world that records. */
async function showRecording() {
  const world = createExtensionWorld();
  world.disk.write('preferences', { version: 1, data: { theme: 'system', recordMessages: true } });
  renderOptions('#/messages', world);
  await screen.findByRole('button', { name: 'Pause' });
  return world;
}

function press(name: string): void {
  fireEvent.click(screen.getByRole('button', { name }));
}
