import type { StorageState } from '../../../src/features/stored-data/background.ts';
import { CallError } from '../../../src/messaging/wire/errors.ts';
import type { PlainKey } from '../../../src/ui/text.ts';
import { calmWorker, type FixedWorker } from '../../gallery/fixed-worker.ts';
import { answering, type GalleryState } from '../../gallery/states.tsx';

const notRead = new CallError('gallery', { code: 'NOT_READ' }, 'handled');
const calm = calmWorker.answers['storage.watch'];

/** Everything that can be unusual about the stored data. Each member of `StorageState` needs a state, or it does not compile. */
const storages = {
  isEmpty: ['gone', 'storage_gone', { 'storage.watch': { ...calm, isEmpty: true } }],
  absent: [
    'partly gone',
    'storage_gone',
    { 'storage.watch': { ...calm, documents: [], absent: ['preferences'] } },
  ],
  readOnly: ['read-only', 'storage_read_only', { 'storage.watch': { ...calm, readOnly: ['preferences'] } }],
  // Another document than the lost one, because all states share the note of what is stored.
  unreadable: [
    'quarantined',
    'storage_quarantined',
    { 'storage.watch': { ...calm, unreadable: [{ id: '0.0.recording', key: 'recording', at: 0 }] } },
  ],
  unread: ['not to be read', 'failure_not_read', { 'storage.watch': notRead, 'preferences.watch': notRead }],
} as const satisfies Record<
  Exclude<keyof StorageState, 'documents'> | 'unread',
  readonly [name: string, says: PlainKey, answers: FixedWorker['answers']]
>;

/** Both pages show each of them. */
export const states = (['popup', '#/preferences'] as const).flatMap((subject) =>
  Object.values(storages).map(([what, says, answers]): readonly [string, GalleryState] => [
    `${subject === 'popup' ? 'popup' : 'options'}: storage ${what}`,
    { subject, worker: answering(answers), says },
  ]),
);
