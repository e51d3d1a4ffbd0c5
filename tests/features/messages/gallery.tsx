import type { CallRecord } from '../../../src/features/messages/background.ts';
import { calmWorker, type FixedWorker } from '../../gallery/fixed-worker.ts';
import { answering, type GalleryState } from '../../gallery/states.tsx';

function recording(records: CallRecord[]): FixedWorker {
  const startedAt = Date.UTC(2026, 0, 9, 9, 9, 33);
  return answering({
    'recording.watch': { isOn: true },
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
  const isStream = index >= 38;
  const isFailure = !isStream && index % 13 === 11;
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

export const answers: FixedWorker['answers'] = {
  'messages.watch': { startedAt: 0, open: [], records: [], dropped: 0 },
  'recording.watch': { isOn: false },
};

export const states: readonly [name: string, state: GalleryState][] = [
  ['options: nothing recorded yet', { subject: '#/messages', worker: recording([]), says: 'messages_empty' }],
  ['options: recording is off', { subject: '#/messages', worker: calmWorker, says: 'messages_empty_off' }],
  [
    'options: messages',
    { subject: '#/messages', worker: recording(records), says: 'messages_pause', picture: 'messages' },
  ],
];
