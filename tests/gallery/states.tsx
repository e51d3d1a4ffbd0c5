import type { ReactElement } from 'react';

import type { ConnectionState } from '../../src/messaging/client/connection.ts';
import { CallError } from '../../src/messaging/wire/errors.ts';
import { views } from '../../src/options/views.tsx';
import type { Background } from '../../src/ui/use-background.ts';
import { Crash } from '../../src/ui/failure.tsx';
import type { PlainKey } from '../../src/ui/text.ts';
import { calmWorker, type FixedWorker } from './fixed-worker.ts';

/** A page, or a part of one, in a state that it can be in. */
export interface GalleryState {
  /** The popup, the options page at this address, or an element that is shown instead of them. */
  readonly subject: 'popup' | `#${string}` | ReactElement;
  readonly worker: FixedWorker;
  /** The key of the text of a button that is pressed first. */
  readonly press?: PlainKey;
  /** The key of a text that the page shows when the state is reached. */
  readonly says: PlainKey;
  /** Name of its picture for the stores, if it has one. */
  readonly picture?: string;
}

/** The exports of a feature's `gallery.tsx`: its own states by name, and answers to its calls in all other states. */
interface FeatureGallery {
  readonly states: readonly (readonly [name: string, state: GalleryState])[];
  readonly answers?: FixedWorker['answers'];
}

type Failed = Extract<Background, { readonly status: 'failed' }>;

/** Everything that a page can show about the background. Each needs a state in `backgrounds`, or this does not compile. */
type Told = Exclude<Background['status'], 'failed'> | Failed['reason'];

const unreachable = new CallError('gallery', { code: 'UNREACHABLE' }, 'handled');

const backgrounds = {
  connecting: ['background_connecting', { connection: { status: 'connecting' }, answers: {} }],
  awake: ['background_awake', calmWorker],
  asleep: ['background_asleep', { ...calmWorker, connection: { status: 'asleep' } }],
  refused: ['background_refused', { connection: failed('refused'), answers: {} }],
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

/** Returns the states of a page for each state of the background. */
function statesOf(page: string, subject: GalleryState['subject']): readonly [string, GalleryState][] {
  const [, silent] = backgrounds.silent;
  return [
    ...Object.entries(backgrounds).map(([told, [says, worker]]): [string, GalleryState] => [
      `${page}: background ${told}`,
      { subject, worker, says },
    ]),
    [`${page}: background tried again`, { subject, worker: silent, press: 'retry', says: 'retrying' }],
  ];
}

/** Returns the calm worker with other answers. */
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

/** Returns a state. The answers of the features fill in for calls that the state does not answer. */
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
