import { Button } from '../ui/button.tsx';
import { CallFailure } from '../ui/call-failure.tsx';
import { useExtension } from '../ui/use-extension.ts';
import { useTask } from '../ui/use-task.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { fileName } from './file-name.ts';
import { saveFile } from './save-file.ts';
import styles from './control.module.css';

/** Saves all that is stored as a file. */
export function ExportControl() {
  const t = useTranslate();
  const { client } = useExtension();
  const [state, start] = useTask(async () => {
    const name = fileName();
    saveFile(name, await client.query('storage.export'));
    return name;
  });

  return (
    <div className={styles['control']}>
      <p>{t('export_explained')}</p>
      <Button onPress={start} isBusy={state.status === 'running'}>
        {t('export')}
      </Button>
      <p role="status" className={styles['status']}>
        {state.status === 'done' && t('export_done', { file: state.value })}
      </p>
      <CallFailure state={state} />
    </div>
  );
}
