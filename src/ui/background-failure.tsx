import { Failure } from './failure.tsx';
import type { MessageKey } from './translate.ts';
import type { Background } from './use-background.ts';
import { useTranslate } from './use-translate.ts';

type Failed = Extract<Background, { readonly status: 'failed' }>;

const texts = {
  unreachable: ['background_unreachable', 'background_unreachable_advice', 'reload'],
  crashing: ['background_crashing', 'background_crashing_advice', 'retry'],
  silent: ['background_silent', 'background_silent_advice', 'retry'],
} as const satisfies Record<
  Failed['reason'],
  readonly [what: MessageKey, advice: MessageKey, action: MessageKey]
>;

/** A background that cannot be worked with, and the way out. */
export function BackgroundFailure({ reason, isRetrying, retry }: Omit<Failed, 'status'>) {
  const t = useTranslate();
  const [what, advice, action] = texts[reason];
  return (
    <Failure
      what={t(what)}
      advice={t(advice)}
      action={{ label: t(isRetrying ? 'retrying' : action), run: retry, isRunning: isRetrying }}
    />
  );
}
