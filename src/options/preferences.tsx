import { useId, useState } from 'react';

import type { Preferences, PreferencesPatch, Theme } from '../contract/preferences.ts';
import type { CallError } from '../messaging/errors.ts';
import { CallResult } from '../ui/background-status.tsx';
import { useMutation } from '../ui/calls.ts';
import { useTranslate } from '../ui/extension.ts';
import { CallFailure } from '../ui/failure.tsx';
import { usePreferences } from '../ui/page.tsx';
import type { MessageKey } from '../ui/text.ts';
import styles from './options.module.css';
import { StoredData } from './stored-data.tsx';
import { Section, ViewHeading } from './view-parts.tsx';

/** The few settings that the extension itself has. */
export function PreferencesView() {
  const t = useTranslate();
  return (
    <>
      <ViewHeading title={t('preferences')} />
      <Section title={t('preferences_theme')}>
        <CallResult state={usePreferences()} loading={t('preferences_loading')}>
          {(preferences) => <ThemePreference preferences={preferences} />}
        </CallResult>
      </Section>
      <StoredData />
    </>
  );
}

const themes = {
  system: 'preferences_theme_system',
  light: 'preferences_theme_light',
  dark: 'preferences_theme_dark',
} as const satisfies Record<Theme, MessageKey>;

/** Chooses the theme. A choice is shown as made while it is being saved, and taken back if that fails. */
function ThemePreference({ preferences }: { readonly preferences: Preferences }) {
  const t = useTranslate();
  const scope = useId();
  const { shown, change, choose } = usePreferenceChange(preferences);

  return (
    <>
      <fieldset aria-describedby={scope}>
        <legend className="visually-hidden">{t('preferences_theme')}</legend>
        <p id={scope} className="muted">
          {t('preferences_theme_scope')}
        </p>
        {Object.entries(themes).map(([value, label]) => (
          <label key={value} className={`target ${styles['choice']}`}>
            <input
              type="radio"
              name="theme"
              value={value}
              checked={value === shown.theme}
              onChange={() => choose({ theme: value as Theme })}
            />
            {t(label)}
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

export type PreferenceChangeState =
  | { readonly status: 'idle' | 'saving' | 'saved' }
  | { readonly status: 'failed'; readonly error: CallError; readonly retry: () => void };

interface ChangeablePreferences {
  /** The preferences to show as chosen. */
  readonly shown: Preferences;
  readonly change: PreferenceChangeState;
  readonly choose: (patch: PreferencesPatch) => void;
}

/**
 * Changes preferences. Given are those that the background last sent; a choice is shown in their place from the press
 * until the background sends them again.
 */
export function usePreferenceChange(preferences: Preferences): ChangeablePreferences {
  const [mutation, update] = useMutation('preferences.update');
  // What was sent before the change was done. What comes in the same instant as that counts as later: it may be, and if
  // it is not, the change itself is still to come.
  const [known, setKnown] = useState(preferences);
  if (mutation.status !== 'done' && known !== preferences) setKnown(preferences);

  function choose(patch: PreferencesPatch): void {
    void update(patch);
  }

  switch (mutation.status) {
    case 'idle':
      return { shown: preferences, change: { status: 'idle' }, choose };
    case 'pending':
      return { shown: { ...preferences, ...mutation.input }, change: { status: 'saving' }, choose };
    case 'done': {
      const { input, output } = mutation;
      const shown = preferences === known ? output : preferences;
      const hasLasted = (Object.keys(input) as (keyof Preferences)[]).every(
        (key) => shown[key] === output[key],
      );
      return { shown, change: { status: hasLasted ? 'saved' : 'idle' }, choose };
    }
    case 'failed':
      return { shown: preferences, change: mutation, choose };
  }
}

interface PreferenceChangeProps {
  readonly change: PreferenceChangeState;
  /** Said when it was certainly not saved, and when that is unknown. */
  readonly failed: string;
  readonly inDoubt: string;
}

/** How the last change of a preference stands. The line is always there, so that it is read out when it fills. */
export function PreferenceChange({ change, failed, inDoubt }: PreferenceChangeProps) {
  const t = useTranslate();
  return (
    <>
      <p role="status" className="status">
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
