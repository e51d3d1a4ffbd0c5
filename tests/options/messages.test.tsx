// @vitest-environment happy-dom
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';

import { quantile } from '../../src/options/messages/duration-plot.tsx';
import { filterMessages, noFilter } from '../../src/options/messages/use-messages.ts';
import type { Message } from '../../src/options/messages/use-messages.ts';
import { createExtensionWorld } from '../support/extension-world.ts';
import { renderOptions } from '../support/render.tsx';

it('follows the messages again when the person tries again after an error', async () => {
  let isBroken = true;
  const world = createExtensionWorld({
    replace: (own) => ({
      'messages.watch': (call) => {
        if (isBroken) throw new Error('broken');
        return own['messages.watch'](call);
      },
    }),
  });
  renderOptions('#/messages', world);
  await screen.findByText('The background failed unexpectedly.');

  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

  await waitFor(() => expect(screen.queryByText('The background failed unexpectedly.')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

it('keeps showing a filter that no message matches, so that it can be removed', async () => {
  const world = createExtensionWorld();
  world.disk.write('preferences', { version: 1, data: { theme: 'system', recordMessages: true } });
  renderOptions('#/messages', world);
  await screen.findByRole('button', { name: 'Pause' });
  await world.openPage('popup').client.query('questions.count');
  await screen.findByRole('option', { name: 'popup' });
  const filter = (): HTMLSelectElement => screen.getByLabelText('Caller');
  fireEvent.change(filter(), { target: { value: 'popup' } });
  fireEvent.click(screen.getByRole('button', { name: 'Clear' }));

  await world.openPage('options').client.query('extension.info');
  await screen.findByText('No messages match the filter.');
  const chosen = filter().value;
  fireEvent.change(filter(), { target: { value: '' } });

  expect(chosen).toBe('popup');
  expect(await screen.findByText('1 message')).toBeTruthy();
});

it.each([
  ['everything', {}, [3, 2, 1]],
  ['one caller', { caller: 'options' }, [3, 2]],
  ['one kind', { kind: 'query' }, [3, 1]],
  ['one name', { name: 'preferences.update' }, [2]],
  ['one outcome', { outcome: 'TIMEOUT' }, [3]],
  ['a text, in upper or lower case', { text: ' forbid' }, [2]],
  ['all of several', { caller: 'options', name: 'extension.info' }, [3]],
  ['nothing that matches', { caller: 'popup', outcome: 'TIMEOUT' }, []],
])('messages can be filtered by %s', (_what, filter, keys) => {
  const messages = [
    message(1, 'popup', 'query', 'extension.info', 'value'),
    message(2, 'options', 'mutation', 'preferences.update', 'FORBIDDEN'),
    message(3, 'options', 'query', 'extension.info', 'TIMEOUT'),
  ];

  expect(filterMessages(messages, { ...noFilter, ...filter }).map(({ key }) => key)).toEqual(keys);
});

it('messages are sorted by when they started, the latest first, although they come when they end', () => {
  const ended = [
    { ...message(1, 'popup', 'query', 'quick', 'value'), at: 20 },
    { ...message(2, 'popup', 'query', 'slow', 'value'), at: 10 },
  ];

  expect(filterMessages(ended, noFilter).map(({ name }) => name)).toEqual(['quick', 'slow']);
});

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

it.each([
  [hundred, 0.5, 50],
  [hundred, 0.95, 95],
  [hundred, 0, 1],
  [[100, 1], 0.5, 1],
  [[7], 0.95, 7],
  [[], 0.5, undefined],
])('a quantile of %j is what that share does not exceed: %d → %d', (values, share, expected) => {
  expect(quantile(values, share)).toBe(expected);
});

function message(key: number, caller: string, kind: Message['kind'], name: string, outcome: string): Message {
  return { key, number: key, caller, kind, name, outcome, at: 0, duration: 1, attempts: 1 };
}
