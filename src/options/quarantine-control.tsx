import { useRef, useState } from 'react';

import type { StorageState } from '../contract/storage-state.ts';
import { Button } from '../ui/button.tsx';
import { CallFailure } from '../ui/call-failure.tsx';
import { translateCount } from '../ui/translate-count.ts';
import { useExtension } from '../ui/use-extension.ts';
import { useMutation } from '../ui/use-mutation.ts';
import { useTask } from '../ui/use-task.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { ConfirmDialog } from './confirm-dialog.tsx';
import styles from './control.module.css';
import { fileName } from './file-name.ts';
import { saveFile } from './save-file.ts';

interface QuarantineControlProps {
  /** What could not be read; when it is nothing, the control is no more than the place where its end is told. */
  readonly quarantined: StorageState['quarantined'];
}

/** Saves what could not be read as a file, and removes it when the person wants that. */
export function QuarantineControl({ quarantined }: QuarantineControlProps) {
  const t = useTranslate();
  const { client } = useExtension();
  const [isAsking, setIsAsking] = useState(false);
  const [discarded, discard] = useMutation('quarantine.discard');
  const [exported, startExport] = useTask(async () => {
    const name = fileName('unreadable');
    saveFile(name, await client.query('quarantine.export'));
    return name;
  });
  const control = useRef<HTMLDivElement>(null);
  const isNeeded = quarantined.length > 0;
  const isDone = !isNeeded && discarded.status === 'done';

  return (
    <div ref={control} tabIndex={-1} className={isNeeded || isDone ? styles['control'] : undefined}>
      {isNeeded && (
        <>
          <p>{translateCount(t, 'quarantine_explained', quarantined.length)}</p>
          <div className={styles['buttons']}>
            <Button onPress={startExport} isBusy={exported.status === 'running'}>
              {t('quarantine_export')}
            </Button>
            <Button onPress={() => setIsAsking(true)} isBusy={discarded.status === 'pending'}>
              {t('quarantine_discard')}
            </Button>
          </div>
        </>
      )}
      <p role="status" className={styles['status']}>
        {isNeeded && exported.status === 'done' && t('quarantine_saved', { file: exported.value })}
        {isDone && t('quarantine_discarded')}
      </p>
      <CallFailure state={exported} />
      <CallFailure state={discarded} />
      {isAsking && isNeeded && (
        <ConfirmDialog
          title={t('quarantine_question')}
          action={t('quarantine_confirm')}
          onCancel={() => setIsAsking(false)}
          onConfirm={confirm}
        >
          <p>{t('quarantine_consequence')}</p>
        </ConfirmDialog>
      )}
    </div>
  );

  function confirm(): void {
    setIsAsking(false);
    // The button that asked goes with what it removes, and the keyboard goes on from here.
    control.current?.focus();
    void discard({ until: Math.max(...quarantined.map(({ at }) => at)) });
  }
}
