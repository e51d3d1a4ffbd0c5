import type { Gap } from '../contract/spec-gaps.ts';
import { formatDigits } from '../ui/format-digits.ts';
import { pointAddress } from '../ui/point-address.ts';
import { translateCount } from '../ui/translate-count.ts';
import { useTranslate } from '../ui/use-translate.ts';
import styles from './point-row.module.css';

/** One point in the list of all. */
export function PointRow({ gap }: { readonly gap: Gap }) {
  const t = useTranslate();
  return (
    <a className={styles['row']} href={pointAddress(gap.id)}>
      <span className={styles['cell']} data-status={gap.status}>
        {formatDigits(gap.number, t)}
      </span>
      <span className={styles['title']}>{gap.title}</span>
      <span className={styles['questions']}>
        {gap.status === 'specified'
          ? t('point_specified')
          : translateCount(t, 'gap_questions', gap.questions.length)}
      </span>
    </a>
  );
}
