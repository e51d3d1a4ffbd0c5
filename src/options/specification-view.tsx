import type { Gap } from '../contract/spec-gaps.ts';
import { SpecifiedSummary } from '../ui/specified-summary.tsx';
import { useTranslate } from '../ui/use-translate.ts';
import { PointRow } from './point-row.tsx';
import styles from './specification-view.module.css';
import { ViewHeading } from './view-heading.tsx';

/** All nine points, each with what is left to be answered. */
export function SpecificationView({ gaps }: { readonly gaps: readonly Gap[] }) {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('specification')} />
      <div className={styles['lead']}>
        <SpecifiedSummary />
        <p>{t('specification_intro')}</p>
      </div>
      <ol className={styles['rows']}>
        {gaps.map((gap) => (
          <li key={gap.id}>
            <PointRow gap={gap} />
          </li>
        ))}
      </ol>
    </>
  );
}
