import type { CallRecord } from '../../../src/contract/call-record.ts';
import type { Route } from '../../../src/options/route.ts';
import { calmWorker } from '../fixed-worker.ts';
import type { FixedWorker } from '../fixed-worker.ts';
import type { GalleryState } from '../gallery-state.ts';

type View = Route['view'];

/** Every view of the options page when all is well: one without a state to look at does not compile. */
const views = {
  specification: { subject: '#/specification', worker: calmWorker, says: 'specification_intro' },
  point: { subject: '#/specification/states', worker: calmWorker, says: 'gap_to_be_answered' },
  preferences: { subject: '#/preferences', worker: calmWorker, says: 'preferences_theme_scope' },
  messages: { subject: '#/messages', worker: recording([]), says: 'messages_empty' },
  about: { subject: '#/about', worker: calmWorker, says: 'about_choices_intro' },
  unknown: { subject: '#/nowhere', worker: calmWorker, says: 'unknown_address_explained' },
} as const satisfies Record<View, GalleryState>;

export const viewStates: Readonly<Record<string, GalleryState>> = {
  'options: specification': views.specification,
  'options: point': views.point,
  'options: preferences': views.preferences,
  'options: nothing recorded yet': views.messages,
  'options: recording is off': { subject: '#/messages', worker: calmWorker, says: 'messages_empty_off' },
  'options: messages': {
    subject: '#/messages',
    worker: recording(Array.from({ length: 40 }, (_, index) => recordOf(index))),
    says: 'messages_pause',
  },
  'options: about': views.about,
  'options: unknown address': views.unknown,
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
