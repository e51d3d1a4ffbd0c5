import { CallFailure } from '../ui/call-failure.tsx';
import { usePreferences } from '../ui/use-preferences.ts';
import { useTranslate } from '../ui/use-translate.ts';
import { Section } from './section.tsx';
import { ThemePreference } from './theme-preference.tsx';
import { ViewHeading } from './view-heading.tsx';

/** The few settings that the extension itself has. */
export function PreferencesView() {
  const t = useTranslate();
  const preferences = usePreferences();

  return (
    <>
      <ViewHeading title={t('preferences')} />
      <Section title={t('preferences_theme')}>{content()}</Section>
    </>
  );

  function content() {
    switch (preferences.status) {
      case 'loading':
        return <p role="status">{t('preferences_loading')}</p>;
      case 'ready':
        return <ThemePreference preferences={preferences.value} />;
      case 'failed':
        return <CallFailure error={preferences.error} onRetry={preferences.retry} />;
    }
  }
}
