import { ImportControl } from '../../../src/options/import-control.tsx';
import type { ImportState } from '../../../src/options/use-import.ts';
import { callErrorOf } from '../call-error-of.ts';
import { calmWorker } from '../fixed-worker.ts';
import type { FixedWorker } from '../fixed-worker.ts';
import type { GalleryState } from '../gallery-state.ts';

const subject = { part: <ImportControl /> };
const file = { file: '{}' };
const confirm = { press: 'import_confirm' } as const;
const change = { path: ['preferences', 'theme'], from: 'system', to: 'dark' };

/** Every state of an import: one that cannot be looked at does not compile. */
const imports = {
  idle: { subject, worker: answering({}), says: 'import_explained' },
  reading: { subject, worker: answering({}), steps: [file], says: 'import_reading' },
  wrong: { subject, worker: answering({}), steps: [{ file: '{ "format"' }], says: 'file_wrong' },
  same: { subject, worker: answering({ 'storage.preview': [] }), steps: [file], says: 'import_same' },
  asking: {
    subject,
    worker: answering({ 'storage.preview': [change] }),
    steps: [file],
    says: 'import_consequence',
  },
  importing: {
    subject,
    worker: answering({ 'storage.preview': [change] }),
    steps: [file, confirm],
    says: 'import_running',
  },
  imported: {
    subject,
    worker: answering({ 'storage.preview': [change], 'storage.import': {} }),
    steps: [file, confirm],
    says: 'import_done',
  },
  failed: {
    subject,
    worker: answering({ 'storage.preview': callErrorOf({ code: 'NOT_READ' }) }),
    steps: [file],
    says: 'failure_not_read',
  },
} as const satisfies Record<ImportState['status'], GalleryState>;

export const importStates: Readonly<Record<string, GalleryState>> = Object.fromEntries(
  Object.entries(imports).map(([status, state]) => [`import: ${status}`, state]),
);

function answering(answers: FixedWorker['answers']): FixedWorker {
  return { ...calmWorker, answers: { ...calmWorker.answers, ...answers } };
}
