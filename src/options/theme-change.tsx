import { CallFailure } from '../ui/call-failure.tsx';
import { useTranslate } from '../ui/use-translate.ts';
import styles from './theme-change.module.css';
import type { ThemeChangeState } from './use-theme-change.ts';

/** How the last change of the theme stands. The line is always there, so that it is read out when it fills. */
export function ThemeChange({ change }: { readonly change: ThemeChangeState }) {
  const t = useTranslate();
  return (
    <>
      <p role="status" className={styles['status']}>
        {change.status === 'saving' && t('preferences_saving')}
        {change.status === 'saved' && t('preferences_saved')}
      </p>
      {change.status === 'failed' && (
        <CallFailure
          what={t(change.error.delivery === 'unknown' ? 'preferences_maybe_saved' : 'preferences_not_saved')}
          error={change.error}
          onRetry={change.retry}
        />
      )}
    </>
  );
}
