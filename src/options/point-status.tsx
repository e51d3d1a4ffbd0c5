import type { Point } from '../contract/spec-gaps.ts';
import { formatDigits } from '../ui/format-digits.ts';
import { useTranslate } from '../ui/use-translate.ts';
import styles from './point-status.module.css';

/** Which of the points this is, and whether it is specified. */
export function PointStatus({ point, total }: { readonly point: Point; readonly total: number }) {
  const t = useTranslate();
  return (
    <p className={styles['line']}>
      <span>
        {t('point_number', {
          number: formatDigits(point.number, t),
          total: formatDigits(total, t),
        })}
      </span>
      <span className={styles['status']} data-status={point.status}>
        {t(point.status === 'specified' ? 'point_specified' : 'point_open')}
      </span>
    </p>
  );
}
