import type { ReactElement } from 'react';

import { points } from '../../SPEC_GAPS.md?points';
import type { CallRecord } from '../../src/contract/messages.ts';
import type { StorageState } from '../../src/contract/storage.ts';
import type { ConnectionState } from '../../src/messaging/client/connection.ts';
import { CallError } from '../../src/messaging/errors.ts';
import numbers from '../../src/options/options.module.css';
import { views } from '../../src/options/views.tsx';
import type { Background } from '../../src/ui/background-status.tsx';
import { useTranslate } from '../../src/ui/extension.ts';
import { Crash } from '../../src/ui/failure.tsx';
import { PointGrid } from '../../src/ui/points.tsx';
import type { MessageKey, MessageValues } from '../../src/ui/text.ts';
import { calmWorker, type FixedWorker } from './fixed-worker.ts';

/** A page, or a part of one, in a state that it can be in. */
export interface GalleryState {
  /** The popup, the options page at an address within it, or what stands in for either. */
  readonly subject: 'popup' | `#${string}` | ReactElement;
  readonly worker: FixedWorker;
  /** The button that the person presses first, by its text. */
  readonly press?: PlainKey;
  /** A text that says which state it is: the page is in it when it can be read. */
  readonly says: PlainKey;
}

/** A message without placeholders, which a page shows word for word. */
type PlainKey = Plain<MessageKey>;
type Plain<Key extends MessageKey> = Key extends MessageKey
  ? MessageValues<Key> extends []
    ? Key
    : never
  : never;

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
        'questions.count': unreachable,
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

function answering(answers: FixedWorker['answers']): FixedWorker {
  return { ...calmWorker, answers: { ...calmWorker.answers, ...answers } };
}

function recording(records: CallRecord[]): FixedWorker {
  const startedAt = Date.UTC(2026, 0, 9, 9, 9, 33);
  return answering({
    'preferences.watch': { theme: 'system', recordMessages: true },
    'messages.watch': {
      startedAt,
      open: records.filter(isOpen),
      records: records.filter((one) => !isOpen(one)),
      dropped: 0,
    },
  });
}

function isOpen({ outcome }: CallRecord): boolean {
  return outcome === 'open';
}

const records = Array.from({ length: 40 }, (_, index): CallRecord => {
  const isMutation = index % 5 === 4;
  const isFailure = index % 13 === 12;
  const isStream = index >= 38;
  return {
    number: index + 1,
    caller: isFailure ? 'background' : index % 3 === 0 ? 'popup' : 'options',
    kind: isStream ? 'subscription' : isMutation ? 'mutation' : 'query',
    name: isStream ? 'preferences.watch' : isMutation ? 'preferences.update' : 'extension.info',
    outcome: isStream ? 'open' : isFailure ? 'INTERNAL' : 'value',
    at: Date.UTC(2026, 0, 9, 9, 9, index),
    ...(!isStream && { duration: 2 + ((index * 7) % 11) + (isFailure ? 30 : 0) }),
    ...(isFailure && { incident: '5f0c' }),
    attempts: isMutation && index > 30 ? 2 : 1,
  };
});

/** From none answered to all, so that each share can be compared with the others. */
const mixed = points.map(({ id, number, title }, index) => {
  return { id, number, title, answered: index, total: points.length - 1 };
});

const titles = { grid: 'tiles', cell: 'tile', title: 'title' };

/** The points as the popup and as the options page show them. */
function EveryCell() {
  const t = useTranslate();
  return (
    <main className="cells">
      <h1>{t('points')}</h1>
      {Object.entries({ titles, numbers }).map(([name, look]) => (
        <nav key={name} aria-label={name} className={name}>
          <PointGrid points={mixed} current="entities" look={look} linkTo={(id) => ({ href: `#${id}` })} />
        </nav>
      ))}
    </main>
  );
}

/** Everything that there is to look at, by name. */
export const galleryStates: ReadonlyMap<string, GalleryState> = new Map<string, GalleryState>([
  ...statesOf('popup', 'popup'),
  ...views.map(({ name }): [string, GalleryState] => [
    `options: ${name}`,
    { subject: `#/${name}`, worker: calmWorker, says: name },
  ]),
  ['options: point', { subject: '#/questions/states', worker: calmWorker, says: 'gap_questions' }],
  ['options: question', { subject: '#/questions/7.3', worker: calmWorker, says: 'gap_questions' }],
  [
    'options: filtered',
    { subject: '#/questions?role=engineer&open', worker: calmWorker, says: 'question_unanswered' },
  ],
  [
    'options: nothing found',
    { subject: '#/questions?search=nowhere', worker: calmWorker, says: 'questions_none' },
  ],
  ['options: nothing recorded yet', { subject: '#/messages', worker: recording([]), says: 'messages_empty' }],
  ['options: recording is off', { subject: '#/messages', worker: calmWorker, says: 'messages_empty_off' }],
  ['options: messages', { subject: '#/messages', worker: recording(records), says: 'messages_pause' }],
  [
    'options: unknown address',
    { subject: '#/nowhere', worker: calmWorker, says: 'unknown_address_explained' },
  ],
  ...statesOf('options', '#/preferences'),
  ['cells: open, in part and fully answered', { subject: <EveryCell />, worker: calmWorker, says: 'points' }],
  ['a page that has failed', { subject: <Crash />, worker: calmWorker, says: 'crash' }],
]);

export function findState(name: string): GalleryState {
  const state = galleryStates.get(name);
  if (state === undefined) throw new Error(`There is no state "${name}".`);
  return state;
}
