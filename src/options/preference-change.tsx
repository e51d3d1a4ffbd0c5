import { CallFailure } from '../ui/call-failure.tsx';
import { useTranslate } from '../ui/use-translate.ts';
import styles from './preference-change.module.css';
import type { PreferenceChangeState } from './use-preference-change.ts';

interface PreferenceChangeProps {
  readonly change: PreferenceChangeState;
  /** Said when it was certainly not saved, and when nobody can tell. */
  readonly failed: string;
  readonly inDoubt: string;
}

/** How the last change of a preference stands. The line is always there, so that it is read out when it fills. */
export function PreferenceChange({ change, failed, inDoubt }: PreferenceChangeProps) {
  const t = useTranslate();
  return (
    <>
      <p role="status" className={styles['status']}>
        {change.status === 'saving' && t('preferences_saving')}
        {change.status === 'saved' && t('preferences_saved')}
      </p>
      <CallFailure
        state={change}
        what={change.status === 'failed' && change.error.delivery === 'unknown' ? inDoubt : failed}
      />
    </>
  );
}
