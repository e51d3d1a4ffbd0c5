import { gapIds } from '../contract/spec-gaps.ts';
import { CallResult } from './call-result.tsx';
import { formatDigits } from './format-digits.ts';
import { markFirstData } from './mark-first-data.ts';
import { useQuery } from './use-query.ts';
import { useTranslate } from './use-translate.ts';

/** How many points are specified, as the worker says. */
export function SpecifiedSummary() {
  const t = useTranslate();
  const specified = useQuery('points.specified');

  return (
    <CallResult state={specified} loading={t('points_specified_loading')}>
      {(ids) => (
        <p ref={markFirstData} role="status">
          {t('points_specified', {
            number: formatDigits(ids.length, t),
            total: formatDigits(gapIds.length, t),
          })}
        </p>
      )}
    </CallResult>
  );
}
