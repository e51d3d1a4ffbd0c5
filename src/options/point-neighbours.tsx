import type { Gap } from '../contract/spec-gaps.ts';
import { pointAddress } from '../ui/point-address.ts';
import { useTranslate } from '../ui/use-translate.ts';
import styles from './point-neighbours.module.css';

interface PointNeighboursProps {
  readonly gap: Gap;
  readonly gaps: readonly Gap[];
}

/** The points before and after this one. */
export function PointNeighbours({ gap, gaps }: PointNeighboursProps) {
  const t = useTranslate();
  const index = gaps.indexOf(gap);
  const previous = index > 0 ? gaps[index - 1] : undefined;
  const next = gaps[index + 1];

  return (
    <nav aria-label={t('gap_neighbours')} className={styles['neighbours']}>
      {previous && (
        <a className={styles['link']} href={pointAddress(previous.id)} rel="prev">
          <span className={styles['direction']}>{t('gap_previous')}</span> {previous.title}
        </a>
      )}
      {next && (
        <a className={styles['link']} data-side="end" href={pointAddress(next.id)} rel="next">
          <span className={styles['direction']}>{t('gap_next')}</span> {next.title}
        </a>
      )}
    </nav>
  );
}
