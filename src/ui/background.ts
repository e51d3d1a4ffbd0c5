import { useEffect, useState, useSyncExternalStore } from 'react';

import type { ConnectionState } from '../messaging/client/connection.ts';
import { retryFailedCalls } from './calls.ts';
import { useExtension } from './extension.ts';

export type FailedConnection = Extract<ConnectionState, { status: 'failed' }>;

/** State of the background, as the page shows it. `roundTrip` is the duration of the last call in ms. */
export type Background =
  | { readonly status: 'connecting' | 'asleep' }
  | { readonly status: 'awake'; readonly roundTrip: number | undefined }
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
  const [retried, setRetried] = useState<FailedConnection['reason']>();

  if (connection.status === 'awake' && retried !== undefined) setRetried(undefined);

  useEffect(() => {
    if (retried === undefined) return undefined;
    const timer = setTimeout(() => setRetried(undefined), RETRY_TIMEOUT);
    return () => clearTimeout(timer);
  }, [retried]);

  function retry(reason: FailedConnection['reason']): void {
    if (reason === 'unreachable' || reason === 'refused') return location.reload();
    setRetried(reason);
    // Sends the calls that still wait again, and then those that have failed.
    client.reconnect();
    return retryFailedCalls();
  }

  function failed(reason: FailedConnection['reason']): Background {
    return { status: 'failed', reason, isRetrying: retried !== undefined, retry: () => retry(reason) };
  }

  switch (connection.status) {
    case 'idle':
    case 'connecting':
      // The failure stays visible during a retry, so that the button does not vanish under the pointer.
      return retried === undefined ? { status: 'connecting' } : failed(retried);
    case 'awake':
      return connection;
    case 'asleep':
      return { status: 'asleep' };
    case 'failed':
      return failed(connection.reason);
  }
}
