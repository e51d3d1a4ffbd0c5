import { gapIds } from '../contract/spec-gaps.ts';
import { CallResult } from './call-result.tsx';
import { formatDigits } from './format-digits.ts';
import { markFirstData } from './mark-first-data.ts';
import { useQuery } from './use-query.ts';
import { useTranslate } from './use-translate.ts';

/** How many points are specified, as the worker says. */
export function SpecifiedSummary() {
  const t = useTranslate();
  const info = useQuery('extension.info');

  return (
    <CallResult state={info} loading={t('points_specified_loading')}>
      {({ specified }) => (
        <p ref={markFirstData} role="status">
          {t('points_specified', {
            number: formatDigits(specified.length, t),
            total: formatDigits(gapIds.length, t),
          })}
        </p>
      )}
    </CallResult>
  );
}
