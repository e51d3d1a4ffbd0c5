import { useId } from 'react';

import type { Preferences } from '../contract/preferences.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { PreferenceChange } from './preference-change.tsx';
import styles from './theme-preference.module.css';
import { usePreferenceChange } from './use-preference-change.ts';

/** Switches the recording of messages on and off. */
export function RecordingPreference({ preferences }: { readonly preferences: Preferences }) {
  const t = useTranslate();
  const explained = useId();
  const { shown, change, choose } = usePreferenceChange(preferences);

  return (
    <>
      <label className={styles['theme']}>
        <input
          type="checkbox"
          checked={shown.recordMessages}
          aria-describedby={explained}
          onChange={({ target }) => choose({ recordMessages: target.checked })}
        />
        {t('recording')}
      </label>
      <p id={explained} className={styles['scope']}>
        {t('recording_explained')} <a href="#/messages">{t('recording_see')}</a>
      </p>
      <PreferenceChange
        change={change}
        failed={t('recording_not_saved')}
        inDoubt={t('recording_maybe_saved')}
      />
    </>
  );
}
