import { Children, type ReactNode, useRef } from 'react';

import type { CallError, ErrorCode } from '../messaging/wire/errors.ts';
import { Button } from './controls.tsx';
import { useTranslate } from './extension.ts';
import { usePause } from './status.tsx';
import type { Translate } from './text.ts';

interface AlertProps {
  /** Empty while there is no problem. */
  readonly children: ReactNode;
  /** Hides the problem, but keeps its space. */
  readonly isPaused?: boolean;
}

/**
 * Announces its text to screen readers at once. Render it while it is still empty, because screen readers announce
 * changes only in a region that already exists. It has the role `alert` only while it contains text.
 */
export function Alert({ children, isPaused = false }: AlertProps) {
  const hasText = Children.toArray(children).some((child) => child !== '');
  return (
    <div
      role={hasText ? 'alert' : undefined}
      aria-live="assertive"
      aria-atomic="true"
      className={hasText ? undefined : 'quiet'}
      style={{ visibility: isPaused ? 'hidden' : undefined }}
    >
      {children}
    </div>
  );
}

export interface Problem {
  /** Says what happened. */
  readonly what: string;
  /** Says what the person can do. */
  readonly advice: string;
  /** Missing if nothing on this page can help. */
  readonly action?: Action | undefined;
}

interface Action {
  readonly label: string;
  readonly run: () => void;
  /** Leave it out if the problem disappears when the action starts. */
  readonly isRunning?: boolean;
}

/** Shows a problem and what to do about it, and announces it at once. Without a problem it is an empty region. */
export function Failure({ problem }: { readonly problem: Problem | undefined }) {
  const place = useRef<HTMLDivElement>(null);

  const action = problem?.action;
  // A retry that fails like the attempt before is announced too.
  const occasion = action?.isRunning ? undefined : 'failed';
  const isPaused = usePause(problem ? `${problem.what} ${problem.advice}` : '', occasion);

  function run({ isRunning, run: start }: Action): void {
    // The button disappears with the problem, so the focus moves here.
    if (isRunning === undefined) place.current?.focus();
    start();
  }

  return (
    <div ref={place} tabIndex={-1} className={problem ? 'failure' : 'quiet'}>
      <Alert isPaused={isPaused}>
        {problem && (
          <>
            <p className="what">{problem.what}</p>
            <p className="muted">{problem.advice}</p>
          </>
        )}
      </Alert>
      {action && (
        <Button onPress={() => run(action)} isBusy={action.isRunning ?? false}>
          {action.label}
        </Button>
      )}
    </div>
  );
}

interface FailedCall {
  readonly status: 'failed';
  readonly error: CallError;
  /** Missing if another attempt could take effect twice. */
  readonly retry: (() => void) | undefined;
}

interface CallFailureProps {
  readonly state: { readonly status: string } | FailedCall;
  /** Says what did not work. Defaults to a text for the code of the error. */
  readonly what?: string | undefined;
}

/** Shows the failure of a call, if it has failed. Render it before the call fails; see `Alert`. */
export function CallFailure({ state, what }: CallFailureProps) {
  const t = useTranslate();
  return <Failure problem={'error' in state ? describeProblem(state, t, what) : undefined} />;
}

/** Errors after which the person must reload the page. */
const NEEDS_RELOAD: ReadonlySet<ErrorCode> = new Set(['UNREACHABLE', 'UNKNOWN_PROCEDURE', 'ALREADY_MADE']);

/** Errors that another attempt cannot change. */
const IS_FINAL: ReadonlySet<ErrorCode> = new Set([
  'FORBIDDEN',
  'NOT_JSON',
  'TOO_LARGE',
  'INVALID_INPUT',
  'DECLARED',
  'READ_ONLY',
]);

function describeProblem({ error, retry }: FailedCall, t: Translate, what?: string): Problem {
  const reason = describeFailure(error, t);

  function nextStep(): Pick<Problem, 'advice' | 'action'> {
    const reload = { label: t('reload'), run: () => location.reload() };
    if (NEEDS_RELOAD.has(error.code)) return { advice: reason.advice, action: reload };
    if (retry === undefined) return { advice: t('failure_reload_advice'), action: reload };
    if (IS_FINAL.has(error.code)) return { advice: reason.advice };
    return { advice: reason.advice, action: { label: t('retry'), run: retry } };
  }

  const { advice, action } = nextStep();
  return {
    what: what ?? reason.what,
    advice: what === undefined ? advice : `${reason.what} ${advice}`,
    action,
  };
}

/** Returns two texts for a person: one says what happened, the other what to do. */
function describeFailure(
  { code, delivery, incident }: CallError,
  t: Translate,
): { readonly what: string; readonly advice: string } {
  switch (code) {
    case 'UNKNOWN_PROCEDURE':
      return {
        what: t('failure_mismatch'),
        advice: t(delivery === 'unknown' ? 'failure_reload_advice' : 'failure_mismatch_advice'),
      };
    case 'FORBIDDEN':
      return { what: t('failure_forbidden'), advice: t('failure_forbidden_advice') };
    case 'NOT_JSON':
    case 'TOO_LARGE':
    case 'INVALID_INPUT':
      return { what: t('failure_refused'), advice: t('failure_refused_advice') };
    case 'DECLARED':
      return { what: t('failure_declared'), advice: t('failure_refused_advice') };
    case 'READ_ONLY':
      return { what: t('failure_read_only'), advice: t('failure_read_only_advice') };
    case 'NOT_STORED':
      return { what: t('failure_not_stored'), advice: t('failure_not_stored_advice') };
    case 'NOT_READ':
      return { what: t('failure_not_read'), advice: t('failure_not_read_advice') };
    case 'INTERNAL':
      return {
        what: t('failure_internal'),
        advice:
          incident === undefined ? t('failure_retry_advice') : t('failure_internal_advice', { incident }),
      };
    case 'TOO_MANY_CALLS':
    case 'TIMEOUT':
      return { what: t('failure_timeout'), advice: t('failure_retry_advice') };
    case 'ALREADY_MADE':
      return { what: t('failure_already_made'), advice: t('failure_reload_advice') };
    case 'ABORTED':
    case 'DISCONNECTED':
      return { what: t('failure_stopped'), advice: t('failure_retry_advice') };
    case 'UNREACHABLE':
      return { what: t('background_unreachable'), advice: t('background_unreachable_advice') };
  }
}

/** Replaces a page whose code has failed. */
export function Crash() {
  const t = useTranslate();
  return (
    <main className="stack crash">
      <h1 className="muted name">{t('extension_name')}</h1>
      <Failure
        problem={{
          what: t('crash'),
          advice: t('crash_advice'),
          action: { label: t('reload'), run: () => location.reload() },
        }}
      />
    </main>
  );
}
