import { useId, useLayoutEffect } from 'react';

import { useMutation } from '../../ui/calls.ts';
import { useTranslate } from '../../ui/extension.ts';
import { Setting } from '../../ui/setting.tsx';
import type { MessageKey } from '../../ui/text.ts';
import { Section } from '../../ui/view.tsx';
import type { Theme } from './background.ts';
import { saveTheme } from './saved-theme.ts';
import { usePreferences } from './theme.tsx';

/** The view with the settings of the person. */
export function PreferencesView() {
  const t = useTranslate();
  return (
    <Section title={t('preferences_theme')}>
      <Setting state={usePreferences()} change={useMutation('preferences.update')}>
        {({ theme }, change) => (
          <ThemeChoice theme={theme} onChange={(chosen) => change({ theme: chosen })} />
        )}
      </Setting>
    </Section>
  );
}

const themes = {
  system: 'preferences_theme_system',
  light: 'preferences_theme_light',
  dark: 'preferences_theme_dark',
} as const satisfies Record<Theme, MessageKey>;

interface ThemeChoiceProps {
  readonly theme: Theme;
  readonly onChange: (theme: Theme) => void;
}

function ThemeChoice({ theme, onChange }: ThemeChoiceProps) {
  const t = useTranslate();
  const scope = useId();
  const preferences = usePreferences();
  const stored = preferences.status === 'ready' ? preferences.value.theme : theme;
  // The choice is saved before the background answers, because a person may close the page first. When the person leaves the
  // view, the stored theme is saved again, because the choice may still fail.
  useLayoutEffect(() => {
    saveTheme(theme);
    return () => saveTheme(stored);
  }, [theme, stored]);

  return (
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
            checked={value === theme}
            onChange={() => onChange(value as Theme)}
          />
          {t(label)}
        </label>
      ))}
    </fieldset>
  );
}
