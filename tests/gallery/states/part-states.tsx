import { Crash } from '../../../src/ui/failure.tsx';
import { calmWorker } from '../fixed-worker.ts';
import { EveryCell } from '../parts/every-cell.tsx';
import { EveryFailure } from '../parts/every-failure.tsx';
import { EveryPreferenceChange } from '../parts/every-preference-change.tsx';
import type { GalleryState } from '../gallery-state.ts';

/** Parts of the pages, each in all of its states. */
export const partStates: Readonly<Record<string, GalleryState>> = {
  'cells: open and specified': {
    subject: { part: <EveryCell /> },
    worker: calmWorker,
    says: 'point_specified',
  },
  'failures of a call': { subject: { part: <EveryFailure /> }, worker: calmWorker, says: 'failure_stopped' },
  'changes of a preference': {
    subject: { part: <EveryPreferenceChange /> },
    worker: calmWorker,
    says: 'preferences_not_saved',
  },
  'a page that has failed': { subject: { page: <Crash /> }, worker: calmWorker, says: 'crash' },
};
