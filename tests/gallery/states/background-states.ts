import type { ConnectionState } from '../../../src/messaging/client/connection.ts';
import type { MessageKey } from '../../../src/ui/text.ts';
import type { Background } from '../../../src/ui/background-status.tsx';
import { callErrorOf } from '../call-error-of.ts';
import { calmWorker } from '../fixed-worker.ts';
import type { FixedWorker } from '../fixed-worker.ts';
import type { GalleryState } from '../gallery-state.ts';

type Failed = Extract<Background, { readonly status: 'failed' }>;

/** All that a person can be told of the background: one without a state to look at does not compile. */
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
        'points.specified': callErrorOf({ code: 'UNREACHABLE' }),
        'preferences.watch': callErrorOf({ code: 'UNREACHABLE' }),
      },
    },
  ],
} as const satisfies Record<Told, readonly [says: MessageKey, worker: FixedWorker]>;

/** A page under each state of its background, and one that tries again. */
export function backgroundStates(
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
