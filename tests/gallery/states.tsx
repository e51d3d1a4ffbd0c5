import type { ReactElement } from 'react';

import type { StorageState } from '../../src/features/stored-data/contract.ts';
import type { ConnectionState } from '../../src/messaging/client/connection.ts';
import { CallError } from '../../src/messaging/errors.ts';
import { views } from '../../src/options/views.tsx';
import type { Background } from '../../src/ui/background.ts';
import { Crash } from '../../src/ui/failure.tsx';
import type { PlainKey } from '../../src/ui/text.ts';
import { calmWorker, type FixedWorker } from './fixed-worker.ts';

/** A page, or a part of one, in a state that it can be in. */
export interface GalleryState {
  /** The popup, the options page at an address within it, or a replacement for either. */
  readonly subject: 'popup' | `#${string}` | ReactElement;
  readonly worker: FixedWorker;
  /** The button that the person presses first, by its text. */
  readonly press?: PlainKey;
  /** A text that says which state it is: the page is in it when it can be read. */
  readonly says: PlainKey;
  /** Name of its picture for the stores. Without it, they show none. */
  readonly picture?: string;
}

/** States that only one feature can be in, by name, and answers to its calls in all other states: its `gallery.tsx`. */
interface FeatureGallery {
  readonly states: readonly (readonly [name: string, state: GalleryState])[];
  readonly answers?: FixedWorker['answers'];
}

type Failed = Extract<Background, { readonly status: 'failed' }>;

/** Everything that a page can say about the background: one without a state to look at does not compile. */
type Told = Exclude<Background['status'], 'failed'> | Failed['reason'];

const unreachable = new CallError('gallery', { code: 'UNREACHABLE' }, 'handled');

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
        'extension.info': unreachable,
        'preferences.watch': unreachable,
      },
    },
  ],
} as const satisfies Record<Told, readonly [says: PlainKey, worker: FixedWorker]>;

function failed(reason: Failed['reason']): ConnectionState {
  return { status: 'failed', reason };
}

const notRead = new CallError('gallery', { code: 'NOT_READ' }, 'handled');
const calm = calmWorker.answers['storage.watch'];

/** All that can be unusual about the stored state: one without a state to look at does not compile. */
const storages = {
  isEmpty: ['gone', 'storage_gone', { 'storage.watch': { ...calm, isEmpty: true } }],
  readOnly: ['read-only', 'storage_read_only', { 'storage.watch': { ...calm, readOnly: ['preferences'] } }],
  unreadable: [
    'quarantined',
    'storage_quarantined',
    { 'storage.watch': { ...calm, unreadable: [{ id: '0.0.preferences', key: 'preferences', at: 0 }] } },
  ],
  unread: ['not to be read', 'failure_not_read', { 'storage.watch': notRead, 'preferences.watch': notRead }],
} as const satisfies Record<
  Exclude<keyof StorageState, 'documents'> | 'unread',
  readonly [name: string, says: PlainKey, answers: FixedWorker['answers']]
>;

/** A page under each state of its background, and above stored data that is not as it should be. */
function statesOf(page: string, subject: GalleryState['subject']): readonly [string, GalleryState][] {
  const [, silent] = backgrounds.silent;
  return [
    ...Object.entries(backgrounds).map(([told, [says, worker]]): [string, GalleryState] => [
      `${page}: background ${told}`,
      { subject, worker, says },
    ]),
    [`${page}: background tried again`, { subject, worker: silent, press: 'retry', says: 'retrying' }],
    ...Object.values(storages).map(([what, says, answers]): [string, GalleryState] => [
      `${page}: storage ${what}`,
      { subject, worker: answering(answers), says },
    ]),
  ];
}

/** The calm worker with other answers. */
export function answering(answers: FixedWorker['answers']): FixedWorker {
  return { ...calmWorker, answers: { ...calmWorker.answers, ...answers } };
}

const features = Object.values(
  import.meta.glob<FeatureGallery>('../features/*/gallery.tsx', { eager: true }),
);

/** All states, by name. */
export const galleryStates: ReadonlyMap<string, GalleryState> = new Map<string, GalleryState>([
  ...statesOf('popup', 'popup'),
  ...views.map(({ name }): [string, GalleryState] => [
    `options: ${name}`,
    { subject: `#/${name}`, worker: calmWorker, says: name, picture: name },
  ]),
  [
    'options: unknown address',
    { subject: '#/nowhere', worker: calmWorker, says: 'unknown_address_explained' },
  ],
  ...statesOf('options', '#/preferences'),
  ...features.flatMap(({ states }) => states),
  ['a page that has failed', { subject: <Crash />, worker: calmWorker, says: 'crash' }],
]);

/** A state, with the answers of all features to calls for which it has none. */
export function findState(name: string): GalleryState {
  const state = galleryStates.get(name);
  if (state === undefined) throw new Error(`There is no state "${name}".`);
  const { worker } = state;
  const answers: FixedWorker['answers'] = Object.assign(
    {},
    ...features.map((feature) => feature.answers),
    worker.answers,
  );
  return { ...state, worker: { ...worker, answers } };
}
