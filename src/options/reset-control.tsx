import { useRef, useState } from 'react';

import { Button } from '../ui/button.tsx';
import { CallFailure } from '../ui/call-failure.tsx';
import type { MessageKey } from '../ui/translate.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import styles from './control.module.css';
import type { Reset, ResetState } from './use-reset.ts';

/** Sets everything back to how it was at first, asks before, and takes it back. */
export function ResetControl({ reset: { state, start } }: { readonly reset: Reset }) {
  const t = useTranslate();
  const [isAsking, setIsAsking] = useState(false);
  const isBusy = state.status === 'resetting' || state.status === 'undoing';
  const control = useRef<HTMLDivElement>(null);

  return (
    <div ref={control} tabIndex={-1} className={styles['control']}>
      <p>{t('reset_explained')}</p>
      <div className={styles['buttons']}>
        <Button onPress={() => setIsAsking(true)} isBusy={isBusy}>
          {t('reset')}
        </Button>
        {state.status === 'reset' && <Button onPress={() => undo(state.undo)}>{t('reset_undo')}</Button>}
      </div>
      <p role="status" className={styles['status']}>
        {state.status === 'resetting' && t('reset_running')}
        {state.status === 'reset' && t('reset_done')}
        {state.status === 'undoing' && t('reset_undoing')}
        {state.status === 'undone' && t('reset_undone')}
      </p>
      <CallFailure state={state} what={state.status === 'failed' ? t(whatOf(state)) : undefined} />
      {isAsking && (
        <ConfirmDialog
          title={t('reset_question')}
          action={t('reset_confirm')}
          onCancel={() => setIsAsking(false)}
          onConfirm={() => {
            setIsAsking(false);
            start();
          }}
        >
          <p>{t('reset_consequence')}</p>
        </ConfirmDialog>
      )}
    </div>
  );

  function undo(run: () => void): void {
    // The button goes with what it undoes, and the keyboard goes on from here.
    control.current?.focus();
    run();
  }
}

function whatOf({ step, error }: Extract<ResetState, { status: 'failed' }>): MessageKey {
  const isInDoubt = error.delivery === 'unknown';
  if (step === 'undo') return isInDoubt ? 'reset_undo_maybe' : 'reset_undo_failed';
  return isInDoubt ? 'reset_maybe' : 'reset_failed';
}
