import { useEffect, useState, useSyncExternalStore } from 'react';

import type { ConnectionState } from '../messaging/client/connection.ts';
import { retryFailedCalls } from './calls.ts';
import { useExtension } from './extension.ts';

export type FailedConnection = Extract<ConnectionState, { status: 'failed' }>;

/** State of the background, as the page shows it. */
export type Background =
  | Exclude<ConnectionState, FailedConnection>
  | {
      readonly status: 'failed';
      readonly reason: FailedConnection['reason'];
      readonly isRetrying: boolean;
      readonly retry: () => void;
    };

/** Milliseconds that a retry waits for an answer. */
const RETRY_TIMEOUT = 5_000;

/** Returns the state of the background and follows it. */
export function useBackground(): Background {
  const { client } = useExtension();
  const { onChange, state } = client.connection;
  const connection = useSyncExternalStore(onChange, state);
  const [isRetrying, setIsRetrying] = useState(false);

  // A failed connection stays failed until the background answers.
  if (connection.status !== 'failed' && isRetrying) setIsRetrying(false);

  useEffect(() => {
    if (!isRetrying) return undefined;
    const timer = setTimeout(() => setIsRetrying(false), RETRY_TIMEOUT);
    return () => clearTimeout(timer);
  }, [isRetrying]);

  function retry(reason: FailedConnection['reason']): void {
    if (reason === 'unreachable' || reason === 'refused') return location.reload();
    setIsRetrying(true);
    // Sends the calls that still wait again, and then those that have failed.
    client.reconnect();
    return retryFailedCalls();
  }

  if (connection.status !== 'failed') return connection;
  const { reason } = connection;
  return { status: 'failed', reason, isRetrying, retry: () => retry(reason) };
}
