// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { expect, it, onTestFinished, vi } from 'vitest';

import type { CallRecord, RecordBatch } from '../../../src/features/messages/background.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';
import { goTo, renderOptions } from '../../support/render.tsx';

const BROKEN = 'The extension failed unexpectedly.';

it('follows the messages again when the person retries after an error', async () => {
  let isBroken = true;
  const world = createExtensionWorld({
    handlers: {
      'messages.watch': async function* () {
        if (isBroken) throw new Error('broken');
        yield { startedAt: 0, open: [], records: [], recorded: 0, failures: [] };
      },
    },
  });
  renderOptions('#/messages', world);
  await screen.findByText(BROKEN);

  isBroken = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));

  await waitFor(() => expect(screen.queryByText(BROKEN)).toBeNull());
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

it('keeps messages that were open when their background stopped, and says so', async () => {
  const world = createRecordingWorld();
  const followed = world.openPage('popup').client.subscribe('preferences.watch');
  await followed.next();
  const { client } = renderOptions('#/messages', world);
  await findRow(/preferences\.watch subscription popup \d 1 Open/);

  world.killWorker();
  await client.query('extension.info');

  await findRow(/preferences\.watch subscription popup \d 1 Open when its background stopped/);
  expect(screen.getAllByText('Background started')).toHaveLength(2);
});

it('does not show cleared messages again when the background sends all of its records once more', async () => {
  const world = createRecordingWorld();
  const { client } = renderOptions('#/messages', world);
  await world.openPage('popup').client.query('extension.info');
  await findRow(/extension\.info query popup/);

  fireEvent.click(screen.getByRole('button', { name: 'Clear messages' }));
  client.reconnect();
  await world.openPage('options').client.query('extension.info');

  await findRow(/extension\.info query options/);
  expect(rows().join('\n')).not.toContain('query popup');
});

it('shows only new messages when it is resumed after a pause', async () => {
  const world = createRecordingWorld();
  renderOptions('#/messages', world);
  await findRow(/recording\.watch/);

  fireEvent.click(screen.getByRole('button', { name: 'Pause' }));
  const paused = rows();
  await world.openPage('popup').client.query('extension.info');
  const whilePaused = rows();
  fireEvent.click(screen.getByRole('button', { name: 'Resume' }));

  await findRow(/extension\.info query popup/);
  expect(whilePaused).toEqual(paused);
});

it('finds messages by any text, and is not broken by half of an emoji', async () => {
  const world = createRecordingWorld();
  const popup = world.openPage('popup').client;
  await popup.query('extension.info');
  await popup.mutate('preferences.update' as never, { theme: 'dark' } as never).catch(() => {});
  renderOptions('#/messages', world);
  await findRow(/preferences\.update mutation popup 1 1 FORBIDDEN/);
  const search = (value: string): boolean =>
    fireEvent.change(screen.getByLabelText('Search'), { target: { value } });

  search(' forbid');
  expect(rows()).toEqual([expect.stringMatching(/preferences\.update/)]);
  search('POPUP 1');
  expect(rows()).toHaveLength(2);
  search('\ud83d');

  expect(screen.getByText('No messages match.').role).toBe('status');
  expect(screen.queryByRole('table')).toBeNull();
});

it('saves the messages, the starts of the backgrounds and the latest failures of each', async () => {
  const file = catchFile();
  renderBatches(
    { startedAt: 1, records: [record(1)], recorded: 1, failures: [record(1)] },
    { startedAt: 1, records: [], recorded: 1, failures: [record(1), record(2)] },
    { startedAt: 9, records: [record(1)], recorded: 1, failures: [record(1)] },
  );
  await waitFor(() => expect(screen.getAllByText('Background started')).toHaveLength(2));

  fireEvent.click(screen.getByRole('button', { name: 'Save as a file' }));

  expect((await screen.findByText(/^Saved\. Look for \S+-messages-/)).role).toBe('status');
  const saved = JSON.parse(await file) as Record<string, unknown[]>;
  expect(saved['starts']).toEqual([1, 9]);
  expect(saved['ended']).toContainEqual({ ...record(1), startedAt: 9 });
  expect(saved['failures']).toEqual([
    { ...record(1), startedAt: 1 },
    { ...record(2), startedAt: 1 },
    { ...record(1), startedAt: 9 },
  ]);
});

it('shows open messages first and at most 500 rows, and counts messages that were dropped before they arrived', async () => {
  const open = [record(1, 'open')];
  renderBatches(
    { startedAt: 1, open, records: recordsFrom(2, 300), recorded: 300 },
    { startedAt: 1, open, records: recordsFrom(402, 300), recorded: 700 },
  );

  await screen.findByText('500 messages 100 more were dropped before they could be shown.');

  expect(rows()).toHaveLength(500);
  expect(rows().slice(0, 2)).toEqual([expect.stringMatching(/call 1 /), expect.stringMatching(/call 701 /)]);
});

it('shows each message once when the same background sends them again', async () => {
  renderBatches(
    { startedAt: 1, records: recordsFrom(1, 2), recorded: 2 },
    { startedAt: 1, records: recordsFrom(1, 3), recorded: 3 },
  );

  await screen.findByText('3 messages');

  expect(rows().map((row) => /call \d/.exec(row)?.[0])).toEqual(['call 3', 'call 2', 'call 1', undefined]);
});

it('adds the latest failures to the facts for a bug report', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  onTestFinished(() => writeText.mockRestore());
  const failure = { ...record(1, 'INTERNAL'), incident: '5f0c' };
  renderBatches({ failures: [failure, record(2, 'TIMEOUT')] });
  await goTo('#/about');
  await screen.findByText(/INTERNAL/);

  fireEvent.click(screen.getByRole('button', { name: 'Copy for a bug report' }));

  expect(writeText.mock.calls[0]?.[0].split('\n').slice(-3)).toEqual([
    expect.stringMatching(/^Starts of the background: 1, the latest on /),
    expect.stringMatching(
      /^Failures since that start: Jan \d+, 1970, \d\d:00:00 · query · call 1 · popup 2 · INTERNAL · Incident 5f0c$/,
    ),
    expect.stringMatching(/^Jan .+ · query · call 2 · popup 2 · TIMEOUT$/),
  ]);
});

/** Creates a world in which recording is on. */
function createRecordingWorld(): ReturnType<typeof createExtensionWorld> {
  const world = createExtensionWorld();
  world.disk.write('recording', { version: 1, data: { isOn: true } });
  return world;
}

/** Renders the view of a background that sends these batches. */
function renderBatches(...batches: Partial<RecordBatch>[]): void {
  const empty: RecordBatch = { startedAt: 1, open: [], records: [], recorded: 0, failures: [] };
  const world = createExtensionWorld({
    handlers: {
      'messages.watch': async function* () {
        for (const batch of batches) yield { ...empty, ...batch };
        await new Promise(() => {});
      },
    },
  });
  renderOptions('#/messages', world);
}

function recordsFrom(first: number, count: number): CallRecord[] {
  return Array.from({ length: count }, (_, index) => record(first + index));
}

function record(number: number, outcome = 'value'): CallRecord {
  return {
    number,
    caller: 'popup',
    connection: 2,
    kind: 'query',
    name: `call ${number}`,
    outcome,
    hasFailed: false,
    at: 0,
    attempts: 1,
  };
}

/** Catches the next file that is saved. Returns its text. */
function catchFile(): Promise<string> {
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockReturnValue();
  onTestFinished(() => void vi.restoreAllMocks());
  return new Promise((resolve) => {
    vi.spyOn(URL, 'createObjectURL').mockImplementation((file) => {
      resolve((file as Blob).text());
      return '#saved';
    });
  });
}

/** Returns the text of each row of the table, with a space between its cells. */
function rows(): readonly string[] {
  const [, ...found] = screen.queryAllByRole('row');
  return found.map((row) =>
    within(row)
      .getAllByRole('cell')
      .map(({ textContent }) => textContent)
      .join(' '),
  );
}

async function findRow(pattern: RegExp): Promise<void> {
  await waitFor(() => expect(rows().join('\n')).toMatch(pattern));
}
