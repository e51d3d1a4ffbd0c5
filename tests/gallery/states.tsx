import type { ReactNode } from 'react';

import type { CallRecord } from '../../src/contract/messages.ts';
import type { StorageState } from '../../src/contract/storage.ts';
import type { ConnectionState } from '../../src/messaging/client/connection.ts';
import { views } from '../../src/options/views.tsx';
import type { Background } from '../../src/ui/background-status.tsx';
import { Crash } from '../../src/ui/failure.tsx';
import type { MessageKey } from '../../src/ui/text.ts';
import { callErrorOf, calmWorker } from './fixed-worker.ts';
import type { FixedWorker } from './fixed-worker.ts';
import { EveryCell, EveryFailure, EveryPreferenceChange } from './parts.tsx';

/** A page, or a part of one, in a state that it can be in. */
export interface GalleryState {
  /** The popup, the options page at an address within it, what stands in for either, or something that stands in a page. */
  readonly subject: 'popup' | `#${string}` | { readonly page: ReactNode } | { readonly part: ReactNode };
  readonly worker: FixedWorker;
  /** What the person does first. */
  readonly steps?: readonly GalleryStep[];
  /** A text that says which state it is: the page is in it when it can be read. */
  readonly says: MessageKey;
}

/** Presses a button, by its text. */
export interface GalleryStep {
  readonly press: MessageKey;
}

type Failed = Extract<Background, { readonly status: 'failed' }>;

/** Everything that a page can say about the background: one without a state to look at does not compile. */
type Told = Exclude<Background['status'], 'failed'> | Failed['reason'];

const backgrounds = {
  connecting: ['background_connecting', { connection: { status: 'connecting' }, answers: {} }],
  awake: ['background_awake', calmWorker],
  asleep: ['background_asleep', { ...calmWorker, connection: { status: 'asleep' } }],
  crashing: ['background_crashing', { connection: failed('crashing'), answers: {} }],
  silent: ['background_silent', { connection: failed('silent'), answers: {} }],
  unreachable: [
    'background_unreachable',
    {
      connection: failed('unreachable'),
      answers: {
        ...calmWorker.answers,
        'extension.info': callErrorOf({ code: 'UNREACHABLE' }),
        'questions.count': callErrorOf({ code: 'UNREACHABLE' }),
        'preferences.watch': callErrorOf({ code: 'UNREACHABLE' }),
      },
    },
  ],
} as const satisfies Record<Told, readonly [says: MessageKey, worker: FixedWorker]>;

/** A page under each state of its background, and one that tries again. */
function backgroundStates(
  name: string,
  subject: GalleryState['subject'],
): Readonly<Record<string, GalleryState>> {
  const states = Object.entries(backgrounds).map(([told, [says, worker]]): [string, GalleryState] => [
    `${name}: background ${told}`,
    { subject, worker, says },
  ]);
  const retrying: GalleryState = {
    subject,
    worker: backgrounds.silent[1],
    steps: [{ press: 'retry' }],
    says: 'retrying',
  };
  return { ...Object.fromEntries(states), [`${name}: background tried again`]: retrying };
}

function failed(reason: Failed['reason']): ConnectionState {
  return { status: 'failed', reason };
}

const calm = calmWorker.answers['storage.watch'];

/** All that can be unusual about the stored state: one without a state to look at does not compile. */
const unusual = {
  isEmpty: ['gone', 'storage_gone', { ...calm, isEmpty: true }],
  readOnly: ['read-only', 'storage_read_only', { ...calm, readOnly: ['preferences'] }],
  unreadable: [
    'quarantined',
    'storage_quarantined',
    { ...calm, unreadable: [{ document: 'preferences', at: 0 }] },
  ],
} as const satisfies Record<
  keyof StorageState,
  readonly [name: string, says: MessageKey, storage: StorageState]
>;

/** A page above stored state that is not as it should be. */
function storageStates(
  name: string,
  subject: GalleryState['subject'],
): Readonly<Record<string, GalleryState>> {
  const states = Object.values(unusual).map(([what, says, storage]): [string, GalleryState] => [
    `${name}: storage ${what}`,
    {
      subject,
      worker: { ...calmWorker, answers: { ...calmWorker.answers, 'storage.watch': storage } },
      says,
    },
  ]);
  const notRead = callErrorOf({ code: 'NOT_READ' });
  const unread: GalleryState = {
    subject,
    worker: {
      ...calmWorker,
      answers: { ...calmWorker.answers, 'storage.watch': notRead, 'preferences.watch': notRead },
    },
    says: 'failure_not_read',
  };
  return { ...Object.fromEntries(states), [`${name}: storage not to be read`]: unread };
}

/** Every view of the options page when all is well, and what else there is to see in one. */
const viewStates: Readonly<Record<string, GalleryState>> = {
  ...Object.fromEntries(
    views.map(({ name }): [string, GalleryState] => [
      `options: ${name}`,
      { subject: `#/${name}`, worker: calmWorker, says: name },
    ]),
  ),
  'options: point': { subject: '#/specification/states', worker: calmWorker, says: 'gap_questions' },
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

/** Parts of the pages, each in all of its states. */
const partStates: Readonly<Record<string, GalleryState>> = {
  'cells: open, in part and fully answered': {
    subject: { part: <EveryCell /> },
    worker: calmWorker,
    says: 'points',
  },
  'failures of a call': { subject: { part: <EveryFailure /> }, worker: calmWorker, says: 'failure_stopped' },
  'changes of a preference': {
    subject: { part: <EveryPreferenceChange /> },
    worker: calmWorker,
    says: 'preferences_not_saved',
  },
  'a page that has failed': { subject: { page: <Crash /> }, worker: calmWorker, says: 'crash' },
};

/** Everything that there is to look at, by name. */
export const galleryStates: ReadonlyMap<string, GalleryState> = new Map(
  Object.entries({
    ...backgroundStates('popup', 'popup'),
    ...storageStates('popup', 'popup'),
    ...viewStates,
    ...backgroundStates('options', '#/preferences'),
    ...storageStates('options', '#/preferences'),
    ...partStates,
  }),
);
