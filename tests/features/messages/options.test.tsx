// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import { quantiles } from '../../../src/features/messages/duration-plot.tsx';
import { withRemarks } from '../../../src/features/messages/message-table.tsx';
import {
  filterMessages,
  type Message,
  type MessageOrder,
  noFilter,
} from '../../../src/features/messages/use-messages.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';
import { renderOptions } from '../../support/render.tsx';

it('follows the messages again when the person retries after an error', async () => {
  let isBroken = true;
  const world = createExtensionWorld({
    handlers: {
      'messages.watch': async function* () {
        if (isBroken) throw new Error('broken');
        yield { startedAt: 0, open: [], records: [], dropped: 0 };
      },
    },
  });
  renderOptions('#/messages', world);
  await screen.findByText('The extension failed unexpectedly.');

  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

  await waitFor(() => expect(screen.queryByText('The extension failed unexpectedly.')).toBeNull());
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
});

it('does not say that recording is off before that is known', async () => {
  const world = createExtensionWorld({
    handlers: { 'recording.watch': () => new Promise(() => {}) },
  });

  renderOptions('#/messages', world);
  await screen.findByText('Loading…');

  expect(screen.queryByText('Recording is off.')).toBeNull();
});

it('does not show cleared messages again when the background sends all of its records once more', async () => {
  const world = createExtensionWorld();
  world.disk.write('recording', { version: 1, data: { isOn: true } });
  const { client } = renderOptions('#/messages', world);
  await screen.findByRole('button', { name: 'Pause' });
  const other = world.openPage('popup').client;
  await other.query('extension.info');
  await screen.findByRole('option', { name: 'popup' });

  fireEvent.click(screen.getByRole('button', { name: 'Clear messages' }));
  client.reconnect();
  await world.openPage('options').client.query('extension.info');

  await screen.findByRole('option', { name: 'extension.info' });
  expect(screen.queryByRole('option', { name: 'popup' })).toBeNull();
});

it('keeps a filter that matches no message, so that the person can remove it', async () => {
  const world = createExtensionWorld();
  world.disk.write('recording', { version: 1, data: { isOn: true } });
  renderOptions('#/messages', world);
  await screen.findByRole('button', { name: 'Pause' });
  await world.openPage('popup').client.query('extension.info');
  await screen.findByRole('option', { name: 'popup' });
  const filter = (): HTMLSelectElement => screen.getByLabelText('Caller');
  fireEvent.change(filter(), { target: { value: 'popup' } });
  fireEvent.click(screen.getByRole('button', { name: 'Clear messages' }));

  await world.openPage('options').client.query('extension.info');
  await screen.findByText('No messages match the filter.');
  const chosen = filter().value;
  fireEvent.change(filter(), { target: { value: '' } });

  expect(chosen).toBe('popup');
  expect(await screen.findByRole('table')).toBeTruthy();
  const columns = within(screen.getByRole('table', { name: 'Internal messages' })).getAllByRole(
    'columnheader',
  );
  expect(columns.map(({ textContent }) => textContent)).toContain('Caller');
});

it('offers open streams in the filter, reports that a file was saved, and marks the column that it sorts by', async () => {
  const world = createExtensionWorld();
  world.disk.write('recording', { version: 1, data: { isOn: true } });
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  renderOptions('#/messages', world);

  // Elements have no size in this environment, so no row is rendered.
  await screen.findByRole('option', { name: 'open' });
  fireEvent.click(screen.getByRole('button', { name: 'Save as a file' }));
  fireEvent.click(screen.getByRole('button', { name: 'Duration' }));

  expect((await screen.findByText(/^Saved\. Look for \S+-messages-/)).role).toBe('status');
  expect(screen.getByText('Duration').parentElement?.getAttribute('aria-sort')).toBe('descending');
});

it.each<[string, object, MessageOrder, number[]]>([
  ['nothing', {}, 'at', [1, 3, 2]],
  ['nothing, and sorted by duration with open ones first', {}, 'duration', [3, 2, 1]],
  ['one caller', { caller: 'options' }, 'at', [3, 2]],
  ['a text, in upper or lower case', { text: ' forbid' }, 'at', [2]],
  ['an incident', { text: '5f0c' }, 'at', [2]],
  ['several members', { caller: 'options', name: 'extension.info' }, 'at', [3]],
  ['values that no message has', { caller: 'popup', outcome: 'TIMEOUT' }, 'at', []],
])('messages are filtered by %s', (_what, filter, order, numbers) => {
  const { duration, ...open } = message(3, 'options', 'query', 'extension.info', 'open');
  const messages = [
    // This message has ended first although it has started last.
    { ...message(1, 'popup', 'query', 'extension.info', 'value'), at: 20, duration: 1 },
    {
      ...message(2, 'options', 'mutation', 'preferences.update', 'FORBIDDEN'),
      incident: '5f0c',
      duration: 2,
    },
    open,
  ];

  const shown = filterMessages(messages, { ...noFilter, ...filter }, order);

  expect(shown.map(({ number }) => number)).toEqual(numbers);
});

it('an incident follows its message, and the start of a background precedes what it served', () => {
  const failed = {
    ...message(2, 'options', 'query', 'extension.info', 'INTERNAL'),
    at: 20,
    incident: '5f0c',
  };
  const earlier = { ...message(1, 'popup', 'query', 'extension.info', 'value'), at: 10 };

  const rows = withRemarks([failed, earlier], [15, 5]);

  const remark = { key: expect.any(String), at: 20, incident: '5f0c' };
  const [second, first] = [15, 5].map((at) => ({ key: expect.any(String), at }));
  expect(rows).toEqual([failed, remark, second, earlier, first]);
});

const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);

it.each([
  [hundred, [0, 0.95], [1, 95]],
  [[100, 1], [0.5], [1]],
  [[], [0.5], [undefined]],
])('the quantiles of %j for the shares %j are %j', (values, shares, expected) => {
  expect(quantiles(values, shares)).toEqual(expected);
});

function message(
  number: number,
  caller: string,
  kind: Message['kind'],
  name: string,
  outcome: string,
): Message {
  return { key: `0 ${number}`, number, caller, kind, name, outcome, at: 0, duration: 1, attempts: 1 };
}
