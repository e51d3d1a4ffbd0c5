import { useSyncExternalStore } from 'react';

import type { ConnectionState } from '../messaging/client/connection.ts';
import { useExtension } from './use-extension.ts';

const IDLE: ConnectionState = { status: 'idle' };

/** What this page knows of its worker, now and after every change. While the page is hydrated nothing was asked yet. */
export function useConnection(): ConnectionState {
  const { connection } = useExtension().client;
  return useSyncExternalStore(connection.onChange, connection.state, () => IDLE);
}
