import { Failure } from './failure.tsx';
import type { Problem } from './failure.tsx';
import type { MessageKey, Translate } from './translate.ts';
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

/** That the background cannot be worked with, while it is so, and the way out. */
export function BackgroundFailure({ background }: { readonly background: Background }) {
  const t = useTranslate();
  return <Failure problem={background.status === 'failed' ? describeProblem(background, t) : undefined} />;
}

function describeProblem({ reason, isRetrying, retry }: Failed, t: Translate): Problem {
  const [what, advice, action] = texts[reason];
  return {
    what: t(what),
    advice: t(advice),
    action: { label: t(isRetrying ? 'retrying' : action), run: retry, isRunning: isRetrying },
  };
}
