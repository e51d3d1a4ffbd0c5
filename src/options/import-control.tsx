import { useRef } from 'react';

import { Button } from '../ui/button.tsx';
import { CallFailure } from '../ui/call-failure.tsx';
import { useTranslate } from '../ui/use-translate.ts';
import { ChangeList } from './change-list.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import styles from './control.module.css';
import { FaultList } from './fault-list.tsx';
import { useImport } from './use-import.ts';

/** Puts what is in a file in the place of what is stored, after it has shown what that changes. */
export function ImportControl() {
  const t = useTranslate();
  const { state, choose, cancel } = useImport();
  const input = useRef<HTMLInputElement>(null);

  return (
    <div className={styles['control']}>
      <p>{t('import_explained')}</p>
      <Button
        onPress={() => input.current?.click()}
        isBusy={state.status === 'reading' || state.status === 'importing'}
      >
        {t('import')}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".json,application/json"
        aria-label={t('import_file')}
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file !== undefined) choose(file);
          // So that the same file can be chosen again.
          target.value = '';
        }}
      />
      <p role="status" className={styles['status']}>
        {state.status === 'reading' && t('import_reading')}
        {state.status === 'importing' && t('import_running')}
        {state.status === 'same' && t('import_same')}
        {state.status === 'imported' && t('import_done')}
      </p>
      <FaultList faults={state.status === 'wrong' ? state.faults : []} />
      <CallFailure state={state} />
      {state.status === 'asking' && (
        <ConfirmDialog
          title={t('import_question')}
          action={t('import_confirm')}
          onConfirm={state.confirm}
          onCancel={cancel}
        >
          <p>{t('import_consequence')}</p>
          <ChangeList changes={state.changes} />
        </ConfirmDialog>
      )}
    </div>
  );
}
