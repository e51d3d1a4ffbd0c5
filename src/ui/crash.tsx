import styles from './crash.module.css';
import { Failure } from './failure.tsx';
import { useTranslate } from './use-translate.ts';

/** In place of a page whose own code has failed. */
export function Crash() {
  const t = useTranslate();
  return (
    <main className={styles['crash']}>
      <h1 className={styles['name']}>{t('extension_name')}</h1>
      <Failure
        problem={{
          what: t('crash'),
          advice: t('crash_advice'),
          action: { label: t('reload'), run: () => location.reload() },
        }}
      />
    </main>
  );
}
