import type { CallError, ErrorCode } from '../messaging/errors.ts';
import { describeFailure } from './describe-failure.ts';
import { Failure } from './failure.tsx';
import type { Problem } from './failure.tsx';
import type { Translate } from './translate.ts';
import { useTranslate } from './use-translate.ts';

interface FailedCall {
  readonly status: 'failed';
  readonly error: CallError;
  /** Nothing where another try could do harm. */
  readonly retry: (() => void) | undefined;
}

interface CallFailureProps {
  /** The call, however it stands. */
  readonly state: { readonly status: string } | FailedCall;
  /** What did not work, in the person's words; else what the error says of itself. */
  readonly what?: string | undefined;
}

/** What only a new page can mend. */
const RELOADED: ReadonlySet<ErrorCode> = new Set(['UNREACHABLE', 'UNKNOWN_PROCEDURE']);

/** How a call ended badly, while it is so. It has to be there from the start, see `Alert`. */
export function CallFailure({ state, what }: CallFailureProps) {
  const t = useTranslate();
  return <Failure problem={'error' in state ? describeProblem(state, t, what) : undefined} />;
}

function describeProblem({ error, retry }: FailedCall, t: Translate, what?: string): Problem {
  const reason = describeFailure(error, t);
  const canRetry = retry !== undefined && !RELOADED.has(error.code);
  const advice = retry !== undefined || RELOADED.has(error.code) ? reason.advice : t('failure_reload_advice');
  return {
    what: what ?? reason.what,
    advice: what === undefined ? advice : `${reason.what} ${advice}`,
    action: canRetry
      ? { label: t('retry'), run: retry }
      : { label: t('reload'), run: () => location.reload() },
  };
}
