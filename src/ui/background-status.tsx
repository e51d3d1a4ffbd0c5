import { useState } from 'react';

import { type FailedConnection, useBackground } from './use-background.ts';
import { useTranslate } from './extension.ts';
import { Failure, type Problem } from './failure.tsx';
import type { MessageKey } from './text.ts';

const lines = {
  connecting: { mark: 'waiting', text: 'background_connecting' },
  awake: { mark: 'solid', text: 'background_awake' },
  asleep: { mark: 'hollow', text: 'background_asleep' },
} as const;

const failures = {
  unreachable: ['background_unreachable', 'background_unreachable_advice', 'reload'],
  refused: ['background_refused', 'background_refused_advice', 'reload'],
  crashing: ['background_crashing', 'background_crashing_advice', 'retry'],
  silent: ['background_silent', 'background_silent_advice', 'retry'],
} as const satisfies Record<
  FailedConnection['reason'],
  readonly [what: MessageKey, advice: MessageKey, action: MessageKey]
>;

/**
 * Shows the state of the background. Screen readers announce only a failure and the recovery from it.
 *
 * @param isQuiet hides the state while there is no failure to report
 */
export function BackgroundStatus({ isQuiet = false }: { readonly isQuiet?: boolean }) {
  const t = useTranslate();
  const background = useBackground();
  const line = background.status === 'failed' ? undefined : lines[background.status];
  const [hasFailed, setHasFailed] = useState(false);
  if (background.status === 'failed' && !hasFailed) setHasFailed(true);
  if (background.status === 'asleep' && hasFailed) setHasFailed(false);

  function describeFailure(): Problem | undefined {
    if (background.status !== 'failed') return undefined;
    const { reason, isRetrying, retry } = background;
    const [what, advice, action] = failures[reason];
    return {
      what: t(what),
      advice: t(advice),
      action: { label: t(isRetrying ? 'retrying' : action), run: retry, isRunning: isRetrying },
    };
  }

  return (
    <>
      <div className="line" hidden={isQuiet && !hasFailed}>
        {line && <span className="mark" data-mark={line.mark} />}
        <span>
          {/* Always rendered, because screen readers announce changes only in a region that already exists. */}
          <span role="status">{hasFailed && line && t(line.text)}</span>
          {/* In an element, because a page translator replaces text nodes, and React cannot remove those. */}
          {!hasFailed && line && <span>{t(line.text)}</span>}
        </span>
      </div>
      <Failure problem={describeFailure()} />
    </>
  );
}
