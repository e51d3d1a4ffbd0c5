import { useId } from 'react';

import type { Preferences, Theme } from '../contract/preferences.ts';
import type { MessageKey } from '../ui/translate.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { PreferenceChange } from './preference-change.tsx';
import styles from './theme-preference.module.css';
import { usePreferenceChange } from './use-preference-change.ts';

const labels = {
  system: 'preferences_theme_system',
  light: 'preferences_theme_light',
  dark: 'preferences_theme_dark',
} as const satisfies Record<Theme, MessageKey>;

/** Chooses the theme. A choice is shown as made while it is being saved, and taken back if that fails. */
export function ThemePreference({ preferences }: { readonly preferences: Preferences }) {
  const t = useTranslate();
  const scope = useId();
  const { shown, change, choose } = usePreferenceChange(preferences);

  return (
    <>
      <fieldset className={styles['themes']} aria-describedby={scope}>
        <legend className="visually-hidden">{t('preferences_theme')}</legend>
        <p id={scope} className={styles['scope']}>
          {t('preferences_theme_scope')}
        </p>
        {(Object.keys(labels) as Theme[]).map((value) => (
          <label key={value} className={styles['theme']}>
            <input
              type="radio"
              name="theme"
              checked={value === shown.theme}
              onChange={() => choose({ theme: value })}
            />
            {t(labels[value])}
          </label>
        ))}
      </fieldset>
      <PreferenceChange
        change={change}
        failed={t('preferences_not_saved')}
        inDoubt={t('preferences_maybe_saved')}
      />
    </>
  );
}
