// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it } from 'vitest';

import { quantile } from '../../src/options/messages/duration-plot.tsx';
import { filterMessages, type Message, noFilter } from '../../src/options/messages/use-messages.ts';
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
  const columns = within(screen.getByRole('table', { name: 'Messages' })).getAllByRole('columnheader');
  expect(columns.map(({ textContent }) => textContent)).toContain('Caller');
});

it.each([
  ['nothing', {}, [1, 3, 2]],
  ['one caller', { caller: 'options' }, [3, 2]],
  ['a text, in upper or lower case', { text: ' forbid' }, [2]],
  ['all of several', { caller: 'options', name: 'extension.info' }, [3]],
  ['what none matches', { caller: 'popup', outcome: 'TIMEOUT' }, []],
])('messages are filtered by %s, the one that started last first', (_what, filter, keys) => {
  const messages = [
    // The first to end and the last to start.
    { ...message(1, 'popup', 'query', 'extension.info', 'value'), at: 20 },
    message(2, 'options', 'mutation', 'preferences.update', 'FORBIDDEN'),
    message(3, 'options', 'query', 'extension.info', 'TIMEOUT'),
  ];

  expect(filterMessages(messages, { ...noFilter, ...filter }).map(({ key }) => key)).toEqual(keys);
});

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

it.each([
  [hundred, 0.95, 95],
  [hundred, 0, 1],
  [[100, 1], 0.5, 1],
  [[], 0.5, undefined],
])('a quantile of %j is what that share does not exceed: %d → %d', (values, share, expected) => {
  expect(quantile(values, share)).toBe(expected);
});

function message(key: number, caller: string, kind: Message['kind'], name: string, outcome: string): Message {
  return { key, number: key, caller, kind, name, outcome, at: 0, duration: 1, attempts: 1 };
}
