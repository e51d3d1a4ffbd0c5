import type { CallError, ErrorCode } from '../messaging/call-error.ts';
import { describeFailure } from './describe-failure.ts';
import { Failure } from './failure.tsx';
import { useTranslate } from './use-translate.ts';

interface CallFailureProps {
  readonly error: CallError;
  readonly onRetry: () => void;
  /** What did not work, in the person's words; else what the error says of itself. */
  readonly what?: string;
}

/** What only a new page can mend. */
const RELOADED: ReadonlySet<ErrorCode> = new Set(['UNREACHABLE', 'UNKNOWN_PROCEDURE']);

/** A call that ended badly. */
export function CallFailure({ error, onRetry, what }: CallFailureProps) {
  const t = useTranslate();
  const reason = describeFailure(error, t);
  return (
    <Failure
      what={what ?? reason.what}
      advice={what === undefined ? reason.advice : `${reason.what} ${reason.advice}`}
      action={
        RELOADED.has(error.code)
          ? { label: t('reload'), run: () => location.reload() }
          : { label: t('retry'), run: onRetry }
      }
    />
  );
}
