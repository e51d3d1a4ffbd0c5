import { useTranslate } from '../ui/use-translate.ts';
import { describeFault } from './describe-fault.ts';
import styles from './fault-list.module.css';
import type { WrongFile } from './parse-file.ts';

/** The most that is said of one file. */
const MOST = 5;

/** What is wrong with a file, and where. */
export function FaultList({ faults }: { readonly faults: readonly WrongFile[] }) {
  const t = useTranslate();
  const sentences = new Set(faults.map((fault) => describeFault(fault, t)));

  return (
    <div role="alert" className={styles['faults']}>
      <p className={styles['title']}>{t('file_wrong')}</p>
      <ul>
        {[...sentences].slice(0, MOST).map((sentence) => (
          <li key={sentence}>{sentence}</li>
        ))}
      </ul>
    </div>
  );
}
