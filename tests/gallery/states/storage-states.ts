import type { StorageState } from '../../../src/contract/storage.ts';
import type { MessageKey } from '../../../src/ui/text.ts';
import { callErrorOf } from '../call-error-of.ts';
import { calmWorker } from '../fixed-worker.ts';
import type { GalleryState } from '../gallery-state.ts';

const calm = calmWorker.answers['storage.watch'];

/** All that can be unusual about the stored state: one without a state to look at does not compile. */
const unusual = {
  isEmpty: ['gone', 'storage_gone', { ...calm, isEmpty: true }],
  readOnly: ['read-only', 'storage_read_only', { ...calm, readOnly: ['preferences'] }],
  unreadable: [
    'quarantined',
    'storage_unreadable',
    { ...calm, unreadable: [{ document: 'preferences', at: 0 }] },
  ],
} as const satisfies Record<
  keyof StorageState,
  readonly [name: string, says: MessageKey, storage: StorageState]
>;

/** A page above stored state that is not as it should be. */
export function storageStates(
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
