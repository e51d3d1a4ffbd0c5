// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';

import type { CallRecord, Log } from '../../../src/features/messages/background.ts';
import { rowsOf } from '../../../src/features/messages/rows.ts';
import { catchFile } from '../../support/catch-file.ts';
import { english } from '../../support/create-extension.ts';
import { createExtensionWorld } from '../../support/extension-world.ts';
import { createDeferred } from '../../support/promises.ts';
import { goTo, press, renderOptions } from '../../support/render.tsx';
import { announcementsOfPresses, eachPress } from '../../support/status-texts.ts';
import { translateWhen } from '../../support/translate-page.ts';

const BROKEN = 'The extension failed unexpectedly.';

it('follows the messages again when the person retries after an error', async () => {
  let isBroken = true;
  const world = createExtensionWorld({
    handlers: {
      'messages.watch': async function* () {
        if (isBroken) throw new Error('broken');
        yield { startedAt: 0, records: [], failures: [] };
      },
    },
  });
  renderOptions('#/messages', world);
  await screen.findByText(BROKEN);

  isBroken = false;
  press('Try again');

  await screen.findByText('Background started');
  expect(screen.queryByText(BROKEN)).toBeNull();
});

it('keeps messages that were open when their background stopped, and says so', async () => {
  const world = createExtensionWorld();
  const followed = world.openPage('popup').client.subscribe('preferences.watch');
  await followed.next();
  const { client } = renderOptions('#/messages', world);
  await findRow(/preferences\.watch subscription popup \d 1 Open/);

  world.killWorker();
  await client.query('extension.info');

  await findRow(/preferences\.watch subscription popup \d 1 Open when its background stopped/);
  expect(screen.getAllByText('Background started')).toHaveLength(2);
});

it('shows the same rows during a pause, and all messages after it', async () => {
  const [gate, consumed] = [createDeferred(), createDeferred()];
  const log = (count: number): Log => ({ startedAt: 1, records: recordsFrom(1, count), failures: [] });
  const world = createExtensionWorld({
    handlers: {
      'messages.watch': async function* () {
        yield log(1);
        await gate.promise;
        yield log(2);
        consumed.resolve();
        await new Promise(() => {});
      },
    },
  });
  renderOptions('#/messages', world);
  await findRow(/call 1/);

  press('Pause');
  gate.resolve();
  await act(() => consumed.promise);
  expect(rows()).toHaveLength(2);
  press('Resume');

  await findRow(/call 2/);
});

it('saves the messages and the latest failures of each background that it has seen', async () => {
  const file = catchFile();
  const [first, second] = [
    { startedAt: 1, records: [record(1)], failures: [record(1), record(2)] },
    { startedAt: 9, records: [record(1)], failures: [record(1)] },
  ];
  renderLogs({ ...first, failures: [] }, first, second);
  await waitFor(() => expect(screen.getAllByText('Background started')).toHaveLength(2));

  press('Save as a file');

  expect((await screen.findByText(/^Saved as \S+-messages-/)).role).toBe('status');
  expect(JSON.parse(await file)).toEqual([first, second]);
});

it('has the latest background first, in it open messages first, and at most 500 rows', () => {
  const first = { startedAt: 1, records: recordsFrom(1, 300), failures: [] };
  const latest = { startedAt: 9, records: [...recordsFrom(2, 300), record(1, 'open')], failures: [] };

  const found = rowsOf([first, latest], english);

  const seen = [0, 1, 300, 301, 302, 499].map((index) => found[index]?.record?.name ?? found[index]?.outcome);
  expect(found).toHaveLength(500);
  expect(seen).toEqual(['call 1', 'call 301', 'call 2', 'Background started', 'call 300', 'call 103']);
});

it('shows a task that asked to run later', async () => {
  renderLogs({ records: [record(1, 'later')] });

  await waitFor(() => expect(rows()[0]).toMatch(/call 1 query popup 2 1 Runs again later/));
});

it('adds the latest failures to the facts for a bug report', async () => {
  const writeText = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
  const failure = { ...record(1, 'INTERNAL'), incident: '5f0c' };
  renderLogs({ failures: [failure, record(2, 'TIMEOUT')] });
  await goTo('#/about');
  await screen.findByText(/INTERNAL/);

  press('Copy for a bug report');

  expect(writeText.mock.calls[0]?.[0].split('\n').slice(-3)).toEqual([
    expect.stringMatching(/^Starts of the background: 1, the latest on /),
    expect.stringMatching(
      /^Failures since the latest start: \w+ \d+, \d{4}, \d\d:\d\d:00 · query · call 1 · popup 2 · INTERNAL · Incident 5f0c$/,
    ),
    expect.stringMatching(/^\w+ \d.+ · query · call 2 · popup 2 · TIMEOUT$/),
  ]);
});

it('shows in a translated page how a message has ended', async () => {
  const gate = createDeferred();
  const world = createExtensionWorld({
    handlers: {
      'messages.watch': async function* () {
        yield { startedAt: 1, records: [record(1, 'open')], failures: [] };
        await gate.promise;
        yield { startedAt: 1, records: [record(1, 'TIMEOUT')], failures: [] };
        await new Promise(() => {});
      },
    },
  });
  renderOptions('#/messages', world);
  await translateWhen('Open');

  gate.resolve();

  expect(await screen.findByText('TIMEOUT')).toBeTruthy();
});

it('announces each press of "Save as a file"', async () => {
  const announcements = await announcementsOfPresses(['#/messages', 'Save as a file', 'Saved as ']);

  expect(announcements).toEqual(eachPress('Saved as '));
});

/** Renders the view of a background that sends these logs. */
function renderLogs(...logs: Partial<Log>[]): void {
  const empty: Log = { startedAt: 1, records: [], failures: [] };
  const world = createExtensionWorld({
    handlers: {
      'messages.watch': async function* () {
        for (const log of logs) yield { ...empty, ...log };
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

/** Returns the text of each row of the table, with a space between its cells. */
function rows(): readonly string[] {
  const found = [...document.querySelectorAll<HTMLTableRowElement>('tbody tr')];
  return found.map(({ cells }) => Array.from(cells, ({ textContent }) => textContent).join(' '));
}

async function findRow(pattern: RegExp): Promise<void> {
  await waitFor(() => expect(rows().join('\n')).toMatch(pattern));
}
