import type { CallRecord } from '../../../src/contract/messages.ts';
import { views } from '../../../src/options/views.tsx';
import { calmWorker } from '../fixed-worker.ts';
import type { FixedWorker } from '../fixed-worker.ts';
import type { GalleryState } from '../gallery-state.ts';

/** Every view of the options page when all is well, and what else there is to see in one. */
export const viewStates: Readonly<Record<string, GalleryState>> = {
  ...Object.fromEntries(
    views.map(({ name }): [string, GalleryState] => [
      `options: ${name}`,
      { subject: `#/${name}`, worker: calmWorker, says: name },
    ]),
  ),
  'options: point': { subject: '#/specification/states', worker: calmWorker, says: 'gap_to_be_answered' },
  'options: nothing recorded yet': { subject: '#/messages', worker: recording([]), says: 'messages_empty' },
  'options: recording is off': { subject: '#/messages', worker: calmWorker, says: 'messages_empty_off' },
  'options: messages': {
    subject: '#/messages',
    worker: recording(Array.from({ length: 40 }, (_, index) => recordOf(index))),
    says: 'messages_pause',
  },
  'options: unknown address': { subject: '#/nowhere', worker: calmWorker, says: 'unknown_address_explained' },
};

function recording(records: CallRecord[]): FixedWorker {
  const preferences = { theme: 'system', recordMessages: true } as const;
  const messages = { records, dropped: 0 };
  return {
    ...calmWorker,
    answers: { ...calmWorker.answers, 'preferences.watch': preferences, 'messages.watch': messages },
  };
}

function recordOf(index: number): CallRecord {
  const isFailure = index % 13 === 12;
  return {
    number: index + 1,
    caller: index % 3 === 0 ? 'popup' : 'options',
    kind: index % 5 === 4 ? 'mutation' : 'query',
    name: index % 5 === 4 ? 'preferences.update' : 'extension.info',
    outcome: isFailure ? 'NOT_STORED' : 'value',
    at: Date.UTC(2026, 0, 9, 9, 9, index),
    duration: 2 + ((index * 7) % 11) + (isFailure ? 30 : 0),
    attempts: 1,
  };
}
