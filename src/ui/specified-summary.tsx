import { gapIds } from '../contract/spec-gaps.ts';
import { CallFailure } from './call-failure.tsx';
import { useQuery } from './use-query.ts';
import { useTranslate } from './use-translate.ts';

/** How many points are specified, as the worker says. */
export function SpecifiedSummary() {
  const t = useTranslate();
  const info = useQuery('extension.info');

  switch (info.status) {
    case 'loading':
      return <p role="status">{t('points_specified_loading')}</p>;
    case 'ready': {
      const number = new Intl.NumberFormat(t('text_language'));
      return (
        <p role="status">
          {t('points_specified', {
            number: number.format(info.value.specified.length),
            total: number.format(gapIds.length),
          })}
        </p>
      );
    }
    case 'failed':
      return <CallFailure error={info.error} onRetry={info.retry} />;
  }
}
