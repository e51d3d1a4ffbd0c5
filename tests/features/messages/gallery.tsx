import type { CallRecord, Log } from '../../../src/features/messages/background.ts';
import { calmWorker, type FixedWorker } from '../../gallery/fixed-worker.ts';
import { answering, type GalleryState } from '../../gallery/states.tsx';

const START = Date.UTC(2026, 0, 9, 9, 41);

const empty: Log = { startedAt: START, records: [], failures: [] };

function logging(records: CallRecord[]): FixedWorker {
  const failures = records.filter(({ hasFailed }) => hasFailed);
  return answering({ 'messages.watch': { ...empty, records, failures } });
}

function recordsOf(count: number): CallRecord[] {
  return Array.from({ length: count }, (_, index): CallRecord => {
    const isMutation = index % 5 === 4;
    const isStream = index >= count - 2;
    const hasFailed = !isStream && index % 13 === 11;
    return {
      number: index + 1,
      ...(hasFailed
        ? { caller: 'background', incident: '0b7f5b6e-3c4f-4a7b-9d2e-5f0c1a2b3c4d' }
        : { caller: index % 3 === 0 ? 'popup' : 'options', connection: (index % 4) + 1 }),
      kind: isStream ? 'subscription' : isMutation ? 'mutation' : 'query',
      name: isStream ? 'preferences.watch' : isMutation ? 'preferences.update' : 'extension.info',
      outcome: isStream ? 'open' : hasFailed ? 'INTERNAL' : 'value',
      hasFailed,
      at: START + index * 1_000,
      ...(!isStream && { duration: 2 + ((index * 7) % 11) + (hasFailed ? 30 : 0) }),
      attempts: isMutation && index > 30 ? 2 : 1,
    };
  });
}

export const answers: FixedWorker['answers'] = { 'messages.watch': empty };

export const states: readonly [name: string, state: GalleryState][] = [
  ['options: no messages yet', { subject: '#/messages', worker: calmWorker, says: 'messages_start' }],
  [
    'options: messages',
    { subject: '#/messages', worker: logging(recordsOf(40)), says: 'messages_pause', picture: 'messages' },
  ],
  ['options: failures', { subject: '#/about', worker: logging(recordsOf(40)), says: 'failures' }],
];
