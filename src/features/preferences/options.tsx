import { useId, useLayoutEffect } from 'react';

import { CallResult } from '../../ui/call-result.tsx';
import { useMutation } from '../../ui/calls.ts';
import { useTranslate } from '../../ui/extension.ts';
import { SettingStatus, useSetting } from '../../ui/setting.tsx';
import type { MessageKey } from '../../ui/text.ts';
import { Section, ViewHeading } from '../../ui/view.tsx';
import type { Preferences, Theme } from './background.ts';
import { saveTheme, usePreferences } from './theme.tsx';

/** The view with the settings of the person. */
export function PreferencesView() {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('preferences')} />
      <Section title={t('preferences_theme')}>
        <CallResult state={usePreferences()}>
          {(preferences) => <ThemePreference preferences={preferences} />}
        </CallResult>
      </Section>
    </>
  );
}

const themes = {
  system: 'preferences_theme_system',
  light: 'preferences_theme_light',
  dark: 'preferences_theme_dark',
} as const satisfies Record<Theme, MessageKey>;

function ThemePreference({ preferences }: { readonly preferences: Preferences }) {
  const t = useTranslate();
  const scope = useId();
  const [mutation, update] = useMutation('preferences.update');
  const { shown, change } = useSetting(preferences, mutation);
  // Saved before the background answers, because a person may close the page first.
  useLayoutEffect(() => saveTheme(shown.theme), [shown.theme]);

  return (
    <>
      <fieldset aria-describedby={scope}>
        <legend className="visually-hidden">{t('preferences_theme')}</legend>
        <p id={scope} className="muted">
          {t('preferences_theme_scope')}
        </p>
        {Object.entries(themes).map(([value, label]) => (
          <label key={value} className="target choice">
            <input
              type="radio"
              name="theme"
              value={value}
              checked={value === shown.theme}
              onChange={() => void update({ theme: value as Theme })}
            />
            {t(label)}
          </label>
        ))}
      </fieldset>
      <SettingStatus
        change={change}
        failed={t('preferences_not_saved')}
        inDoubt={t('preferences_maybe_saved')}
      />
    </>
  );
}
