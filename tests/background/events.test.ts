import { expect, it, vi } from 'vitest';
import * as v from 'valibot';
import { action, alarms, contextMenus, runtime } from 'webextension-polyfill';

import { defineFeature } from '../../src/messaging/define/feature.ts';
import { proceduresFor } from '../../src/messaging/define/declare.ts';
import { defineDocument } from '../../src/messaging/define/documents.ts';
import * as browser from '../support/browser.ts';
import { testCallers } from '../support/counter.ts';
import { createMemoryWorld } from '../support/memory-world.ts';

const marks = defineDocument({ key: 'marks', schema: v.number(), initial: 0 });

/** Counts clicks in a menu and alarms, and shows the number on the button of the extension. */
const markFeature = defineFeature({
  documents: [marks],
  procedures: {
    'mark.add': proceduresFor(testCallers).mutation({
      callers: ['background'],
      handle: ({ state }) => state.update(marks, (count) => count + 1),
    }),
  },
  start: ({ background }) => {
    runtime.onInstalled.addListener(() => {
      contextMenus.create({ id: 'mark', title: 'Mark', contexts: ['page'] });
    });
    contextMenus.onClicked.addListener(() => void background.mutate('mark.add'));
    alarms.onAlarm.addListener(({ name, scheduledTime }) => {
      void background.mutate('mark.add', undefined, { key: `${name}/${scheduledTime}` });
    });
    background.watch(marks, (count) => action.setBadgeText({ text: String(count) }));
  },
});

function createMarkedWorld() {
  browser.resetBrowser();
  return createMemoryWorld({
    callers: testCallers,
    features: () => {
      browser.startTurn();
      return [markFeature];
    },
  });
}

it('an event of the browser starts the background, and its change is made once and shown', async () => {
  const world = createMarkedWorld();
  const alarm = { name: 'tidy', scheduledTime: 1, persistAcrossSessions: true };
  void world.fire(() => browser.runtime.onInstalled.trigger({ reason: 'install' }));
  void world.fire(() =>
    browser.contextMenus.onClicked.trigger({ menuItemId: 'mark', editable: false, modifiers: [] }),
  );
  await vi.waitFor(() => expect(world.disk.dataOf('marks')).toBe(1));

  world.killWorkerAt('before-commit');
  void world.fire(() => browser.alarms.onAlarm.trigger(alarm));
  await vi.waitFor(() => expect(world.isWorkerRunning()).toBe(false));
  void world.fire(() => browser.alarms.onAlarm.trigger(alarm));
  await vi.waitFor(async () => expect(await action.getBadgeText({})).toBe('2'));

  expect([world.starts(), world.disk.dataOf('marks'), [...browser.menuItems.keys()]]).toEqual([
    2,
    2,
    ['mark'],
  ]);
});

it('a listener that is added after the first turn of the background is refused', async () => {
  const world = createMarkedWorld();
  world.fire(() => {});
  await Promise.resolve();

  expect(() => alarms.onAlarm.addListener(() => {})).toThrow(
    'Add listeners of alarms.onAlarm in the first turn of the background',
  );
});
