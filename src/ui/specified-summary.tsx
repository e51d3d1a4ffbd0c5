import { gapIds } from '../contract/spec-gaps.ts';
import { CallResult } from './call-result.tsx';
import { formatNumber } from './format-number.ts';
import { markFirstData } from './mark-first-data.ts';
import { useQuery } from './use-query.ts';
import { useTranslate } from './use-translate.ts';

/** How many points are specified, as the worker says. */
export function SpecifiedSummary() {
  const t = useTranslate();
  const info = useQuery('extension.info');
  const language = t('text_language');

  return (
    <CallResult state={info} loading={t('points_specified_loading')}>
      {({ specified }) => (
        <p ref={markFirstData} role="status">
          {t('points_specified', {
            number: formatNumber(specified.length, language),
            total: formatNumber(gapIds.length, language),
          })}
        </p>
      )}
    </CallResult>
  );
}
