import { useState } from 'react';

import type { ConnectionState } from '../messaging/client/connection.ts';
import { useConnection } from './use-connection.ts';
import { useExtension } from './use-extension.ts';

type Failed = Extract<ConnectionState, { status: 'failed' }>;

/** The background as a person is told of it. `roundTrip` is how long the last answer took, in ms. */
export type Background =
  | { readonly status: 'connecting' | 'asleep' }
  | { readonly status: 'awake'; readonly roundTrip: number | undefined }
  | {
      readonly status: 'failed';
      readonly reason: Failed['reason'];
      readonly isRetrying: boolean;
      readonly retry: () => void;
    };

/** Milliseconds that a retry waits for an answer. */
const PATIENCE = 5_000;

/** How the worker stands, now and after every change. */
export function useBackground(): Background {
  const { client } = useExtension();
  const connection = useConnection();
  const [retried, setRetried] = useState<Failed['reason']>();

  async function retry(reason: Failed['reason']): Promise<void> {
    if (reason === 'unreachable') return location.reload();
    setRetried(reason);
    client.reconnect();
    // Whether it was answered is then told by the connection.
    await client.query('extension.info', undefined, { timeout: PATIENCE }).catch(() => undefined);
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

  function failed(reason: Failed['reason']): Background {
    return { status: 'failed', reason, isRetrying: retried !== undefined, retry: () => void retry(reason) };
  }
}
