import { Alert } from '../ui/alert.tsx';
import { translateCount } from '../ui/translate-count.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { describeFault } from './describe-fault.ts';
import styles from './fault-list.module.css';
import type { WrongFile } from './parse-file.ts';

/** The most that is said of one file. */
const MOST = 5;

/** What is wrong with a file, and where; nothing while nothing is. */
export function FaultList({ faults }: { readonly faults: readonly WrongFile[] }) {
  const t = useTranslate();
  const sentences = [...new Set(faults.map((fault) => describeFault(fault, t)))];
  const more = sentences.length - MOST;

  return (
    <Alert className={styles['faults']}>
      {faults.length > 0 && (
        <>
          <p className={styles['title']}>{t('file_wrong')}</p>
          <ul>
            {sentences.slice(0, MOST).map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          {more > 0 && <p>{translateCount(t, 'file_more', more)}</p>}
        </>
      )}
    </Alert>
  );
}
