import { points } from '../../../SPEC_GAPS.md?points';
import { useTranslate } from '../../ui/extension.ts';
import styles from './aside.module.css';
import { PointGrid } from './points.tsx';
import type { GapId } from './spec-gaps.ts';

interface PointsAsideProps {
  /** Address of the page, such as `#/questions/purpose`. */
  readonly address: string;
}

/** Shows the nine points in the sidebar, except next to the list of questions, which shows them itself. */
export function PointsAside({ address }: PointsAsideProps) {
  const t = useTranslate();
  if (/^(?:#\/?(?:questions)?)?(?:\?|$)/u.test(address)) return null;
  return (
    <nav aria-label={t('points')} className={styles['points']}>
      <PointGrid points={points} current={currentPoint(address)} look={styles}>
        <li aria-hidden="true" className={styles['caption']}>
          {t('points')}
        </li>
      </PointGrid>
    </nav>
  );
}

/** Returns the point that an address names by its id or by the number of one of its questions. */
function currentPoint(address: string): GapId | undefined {
  const [, part] = /^#\/questions\/([^?]*)/u.exec(address) ?? [];
  return points.find(({ id, number }) => id === part || part?.startsWith(`${number}.`))?.id;
}
