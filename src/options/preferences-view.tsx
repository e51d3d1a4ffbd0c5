import { CallResult } from '../ui/call-result.tsx';
import { usePreferences } from '../ui/use-preferences.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { RecordingPreference } from './recording-preference.tsx';
import { Section } from './section.tsx';
import { StoredData } from './stored-data.tsx';
import { ThemePreference } from './theme-preference.tsx';
import { ViewHeading } from './view-heading.tsx';

/** The few settings that the extension itself has. */
export function PreferencesView() {
  const t = useTranslate();
  const preferences = usePreferences();
  return (
    <>
      <ViewHeading title={t('preferences')} />
      <Section title={t('preferences_theme')}>
        <CallResult state={preferences} loading={t('preferences_loading')}>
          {(known) => <ThemePreference preferences={known} />}
        </CallResult>
      </Section>
      <Section title={t('messages')}>
        <CallResult state={preferences} loading={t('preferences_loading')}>
          {(known) => <RecordingPreference preferences={known} />}
        </CallResult>
      </Section>
      <StoredData />
    </>
  );
}
