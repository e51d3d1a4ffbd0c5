import { ResetControl } from '../../../src/options/reset-control.tsx';
import type { ResetState } from '../../../src/options/use-reset.ts';
import { callErrorOf } from '../call-error-of.ts';
import { Specimen } from './specimen.tsx';

const error = callErrorOf({ code: 'NOT_STORED' });

const resets = {
  idle: { status: 'idle' },
  resetting: { status: 'resetting' },
  reset: { status: 'reset', undo: () => {} },
  undoing: { status: 'undoing' },
  undone: { status: 'undone' },
  failed: { status: 'failed', step: 'reset', error, retry: () => {} },
} as const satisfies Record<ResetState['status'], ResetState>;

export function EveryReset() {
  return Object.entries(resets).map(([name, state]) => (
    <Specimen key={name} name={name}>
      <ResetControl reset={{ state, start: () => {} }} />
    </Specimen>
  ));
}
