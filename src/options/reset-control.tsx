import { useState } from 'react';

import { Button } from '../ui/button.tsx';
import { CallFailure } from '../ui/call-failure.tsx';
import { useTranslate } from '../ui/use-translate.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import styles from './control.module.css';
import type { Reset } from './use-reset.ts';

/** Sets everything back to how it was at first, asks before, and takes it back. */
export function ResetControl({ reset: { state, start } }: { readonly reset: Reset }) {
  const t = useTranslate();
  const [isAsking, setIsAsking] = useState(false);
  const isBusy = state.status === 'resetting' || state.status === 'undoing';

  return (
    <div className={styles['control']}>
      <p>{t('reset_explained')}</p>
      <div className={styles['buttons']}>
        <Button onPress={() => setIsAsking(true)} isBusy={isBusy}>
          {t('reset')}
        </Button>
        {state.status === 'reset' && <Button onPress={state.undo}>{t('reset_undo')}</Button>}
      </div>
      <p role="status" className={styles['status']}>
        {state.status === 'resetting' && t('reset_running')}
        {state.status === 'reset' && t('reset_done')}
        {state.status === 'undoing' && t('reset_undoing')}
        {state.status === 'undone' && t('reset_undone')}
      </p>
      <CallFailure
        state={state}
        what={t(state.status === 'failed' && state.step === 'undo' ? 'reset_undo_failed' : 'reset_failed')}
      />
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
}
