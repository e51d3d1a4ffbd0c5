import { type ReactNode, useState, useSyncExternalStore } from 'react';

import type { ConnectionState } from '../messaging/client/connection.ts';
import type { CallState } from './calls.ts';
import { useExtension, useTranslate } from './extension.ts';
import { CallFailure, Failure } from './failure.tsx';
import type { MessageKey } from './text.ts';

type FailedConnection = Extract<ConnectionState, { status: 'failed' }>;

/** The background as a person reads of it. `roundTrip` is how long the last answer took, in ms. */
export type Background =
  | { readonly status: 'connecting' | 'asleep' }
  | { readonly status: 'awake'; readonly roundTrip: number | undefined }
  | {
      readonly status: 'failed';
      readonly reason: FailedConnection['reason'];
      readonly isRetrying: boolean;
      readonly retry: () => void;
    };

const lines = {
  connecting: { mark: 'waiting', text: 'background_connecting' },
  awake: { mark: 'solid', text: 'background_awake' },
  asleep: { mark: 'hollow', text: 'background_asleep' },
} as const;

const failures = {
  unreachable: ['background_unreachable', 'background_unreachable_advice', 'reload'],
  crashing: ['background_crashing', 'background_crashing_advice', 'retry'],
  silent: ['background_silent', 'background_silent_advice', 'retry'],
} as const satisfies Record<
  FailedConnection['reason'],
  readonly [what: MessageKey, advice: MessageKey, action: MessageKey]
>;

/** One line on the background. A failure is read out, and the return from one; rest and waking up are not. */
export function BackgroundStatus() {
  const t = useTranslate();
  const background = useBackground();
  const line = background.status === 'failed' ? undefined : lines[background.status];
  const [hasFailed, setHasFailed] = useState(false);
  if (background.status === 'failed' && !hasFailed) setHasFailed(true);
  if (background.status === 'asleep' && hasFailed) setHasFailed(false);

  return (
    <>
      <div className="line">
        {line && <span className="mark" data-mark={line.mark} />}
        <span>
          {/* Stays, as only the change of a region that is there is read out. */}
          <span role="status">{hasFailed && line && t(line.text)}</span>
          {!hasFailed && line && t(line.text)}
          {background.status === 'awake' && <RoundTrip duration={background.roundTrip} />}
        </span>
      </div>
      <Failure problem={problem()} />
    </>
  );

  function problem() {
    if (background.status !== 'failed') return undefined;
    const { reason, isRetrying, retry } = background;
    const [what, advice, action] = failures[reason];
    return {
      what: t(what),
      advice: t(advice),
      action: { label: t(isRetrying ? 'retrying' : action), run: retry, isRunning: isRetrying },
    };
  }
}

/** How long the last answer took, in whole ms; nothing while that is unknown. It changes too often to be read out. */
function RoundTrip({ duration }: { readonly duration: number | undefined }) {
  const t = useTranslate();
  if (duration === undefined) return null;
  return (
    <>
      {' · '}
      <span ref={markFirstData} className="number">
        {t('background_round_trip', { time: String(Math.ceil(duration)) })}
      </span>
    </>
  );
}

/** Notes in the page's timeline when the background has answered for the first time: `npm run bench` reads it. */
function markFirstData(element: Element | null): void {
  const mark = 'first-data';
  if (element !== null && performance.getEntriesByName(mark).length === 0) performance.mark(mark);
}

interface CallResultProps<Value> {
  readonly state: CallState<Value>;
  /** Shown until the background has answered. */
  readonly loading: string;
  readonly children: (value: Value) => ReactNode;
}

/**
 * What was asked of the background: the wait for it, the answer, or how it failed. A failure is reported once on a page:
 * that of the whole background by `BackgroundStatus`, that of the stored data by `StorageNotice`.
 */
export function CallResult<Value>({ state, loading, children }: CallResultProps<Value>) {
  const t = useTranslate();
  const hasFailed = useBackground().status === 'failed';
  const isReported = hasFailed || (state.status === 'failed' && state.error.code === 'NOT_READ');

  return (
    <>
      {content()}
      <CallFailure state={isReported ? { status: 'reported' } : state} />
    </>
  );

  function content(): ReactNode {
    if (state.status === 'ready') return children(state.value);
    if (isReported) return <p role="status">{t(hasFailed ? 'background_needed' : 'storage_needed')}</p>;
    return state.status === 'loading' && <p role="status">{loading}</p>;
  }
}

const IDLE: ConnectionState = { status: 'idle' };

/** Milliseconds that a retry waits for an answer. */
const RETRY_TIMEOUT = 5_000;

/** How the background stands, now and after every change. While the page is hydrated nothing was asked yet. */
function useBackground(): Background {
  const { client } = useExtension();
  const { onChange, state } = client.connection;
  const connection = useSyncExternalStore(onChange, state, () => IDLE);
  const [retried, setRetried] = useState<FailedConnection['reason']>();

  async function retry(reason: FailedConnection['reason']): Promise<void> {
    if (reason === 'unreachable') return location.reload();
    setRetried(reason);
    client.reconnect();
    // The connection says whether it was answered.
    await client.query('extension.info', undefined, { timeout: RETRY_TIMEOUT }).catch(() => undefined);
    return setRetried(undefined);
  }

  switch (connection.status) {
    case 'idle':
    case 'connecting':
      // What was retried stays in place until it is clear how that ends; a button must not vanish under a finger.
      return retried === undefined ? { status: 'connecting' } : failed(retried);
    case 'awake':
      return connection;
    case 'asleep':
      return { status: 'asleep' };
    case 'failed':
      return failed(connection.reason);
  }

  function failed(reason: FailedConnection['reason']): Background {
    return { status: 'failed', reason, isRetrying: retried !== undefined, retry: () => void retry(reason) };
  }
}
