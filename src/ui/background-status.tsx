import { BackgroundFailure } from './background-failure.tsx';
import { RoundTrip } from './round-trip.tsx';
import { StatusLine } from './status-line.tsx';
import { useBackground } from './use-background.ts';
import { useTranslate } from './use-translate.ts';

/** One line on the background; more when it has failed. */
export function BackgroundStatus() {
  const t = useTranslate();
  const background = useBackground();

  switch (background.status) {
    case 'connecting':
      return <StatusLine mark="open">{t('background_connecting')}</StatusLine>;
    case 'awake':
      return (
        <StatusLine mark="solid" aside={<RoundTrip duration={background.roundTrip} />}>
          {t('background_awake')}
        </StatusLine>
      );
    case 'asleep':
      return <StatusLine mark="hollow">{t('background_asleep')}</StatusLine>;
    case 'failed':
      return <BackgroundFailure {...background} />;
  }
}
