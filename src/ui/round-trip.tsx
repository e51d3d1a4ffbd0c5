import { useDeferredValue } from 'react';

import { formatDuration } from './format-duration.ts';
import styles from './round-trip.module.css';
import { useTranslate } from './use-translate.ts';

/** How long the last answer took, in ms; nothing when that is not known yet. */
export function RoundTrip({ duration }: { readonly duration: number | undefined }) {
  const t = useTranslate();
  // After what was asked for: the first number of `Intl` takes Chromium 10 ms.
  const shown = useDeferredValue(duration, null);
  if (shown === null || shown === undefined) return null;
  return (
    <span className={styles['time']} title={t('background_round_trip')}>
      <span className="visually-hidden">{t('background_round_trip')} </span>
      {formatDuration(shown, t('text_language'))}
    </span>
  );
}
