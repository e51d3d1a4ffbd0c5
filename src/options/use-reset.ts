import { useState } from 'react';

import type { CallError } from '../messaging/call-error.ts';
import { useMutation } from '../ui/use-mutation.ts';

export type ResetState =
  | { readonly status: 'idle' | 'resetting' | 'undoing' | 'undone' }
  | { readonly status: 'reset'; readonly undo: () => void }
  | {
      readonly status: 'failed';
      readonly step: 'reset' | 'undo';
      readonly error: CallError;
      /** Nothing after a reset in doubt: another would take what is reset already for what was there before. */
      readonly retry: (() => void) | undefined;
    };

/** A reset of all that is stored, which can be undone for as long as this hook lives. */
export interface Reset {
  readonly state: ResetState;
  readonly start: () => void;
}

/** Resets, and keeps what was there before for the way back. */
export function useReset(): Reset {
  const [reset, runReset] = useMutation('storage.reset');
  const [undo, runUndo] = useMutation('storage.import');
  const [step, setStep] = useState<'reset' | 'undo'>('reset');

  function start(): void {
    setStep('reset');
    void runReset(undefined);
  }

  function startUndo(): void {
    if (reset.status !== 'done') return;
    setStep('undo');
    void runUndo(reset.output);
  }

  return { state: step === 'reset' ? resetState() : undoState(), start };

  function resetState(): ResetState {
    switch (reset.status) {
      case 'idle':
        return { status: 'idle' };
      case 'pending':
        return { status: 'resetting' };
      case 'done':
        return { status: 'reset', undo: startUndo };
      case 'failed':
        return {
          status: 'failed',
          step: 'reset',
          error: reset.error,
          retry: reset.error.delivery === 'unknown' ? undefined : start,
        };
    }
  }

  function undoState(): ResetState {
    switch (undo.status) {
      case 'idle':
      case 'pending':
        return { status: 'undoing' };
      case 'done':
        return { status: 'undone' };
      case 'failed':
        return { status: 'failed', step: 'undo', error: undo.error, retry: startUndo };
    }
  }
}
