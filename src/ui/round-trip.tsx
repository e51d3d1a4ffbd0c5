import { formatDuration } from './format-duration.ts';
import styles from './round-trip.module.css';
import { useTranslate } from './use-translate.ts';

/** How long the last answer took, in ms; nothing when that is not known yet. */
export function RoundTrip({ duration }: { readonly duration: number | undefined }) {
  const t = useTranslate();
  if (duration === undefined) return null;
  return (
    <span className={styles['time']} title={t('background_round_trip')}>
      <span className="visually-hidden">{t('background_round_trip')} </span>
      {formatDuration(duration, t('text_language'))}
    </span>
  );
}
