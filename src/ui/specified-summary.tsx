import { CallResult } from './call-result.tsx';
import { describeSpecified } from './describe-specified.ts';
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
          {describeSpecified(ids.length, t)}
        </p>
      )}
    </CallResult>
  );
}
