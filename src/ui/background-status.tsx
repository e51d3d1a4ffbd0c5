import type { ReactNode } from 'react';

import { BackgroundFailure } from './background-failure.tsx';
import { RoundTrip } from './round-trip.tsx';
import { StatusLine } from './status-line.tsx';
import type { Background } from './use-background.ts';
import { useBackground } from './use-background.ts';
import { useTranslate } from './use-translate.ts';

const lines = {
  connecting: { mark: 'open', text: 'background_connecting' },
  awake: { mark: 'solid', text: 'background_awake' },
  asleep: { mark: 'hollow', text: 'background_asleep' },
} as const;

/** One line on the background; more when it has failed. */
export function BackgroundStatus() {
  const t = useTranslate();
  const background = useBackground();
  const line = background.status === 'failed' ? undefined : lines[background.status];

  return (
    <>
      <StatusLine mark={line?.mark} aside={aside(background)}>
        {line && t(line.text)}
      </StatusLine>
      <BackgroundFailure background={background} />
    </>
  );
}

function aside(background: Background): ReactNode {
  return background.status === 'awake' && <RoundTrip duration={background.roundTrip} />;
}
