import { useEffect, useEffectEvent } from 'react';

import { useExtension } from './use-extension.ts';

/**
 * Calls `listener` whenever the worker is heard again after it could not be, so that what failed can be tried again.
 */
export function useReturnOfWorker(listener: () => void): void {
  const { connection } = useExtension().client;
  const onReturn = useEffectEvent(listener);

  useEffect(() => {
    let wasAwake = connection.state().status === 'awake';
    return connection.onChange(() => {
      const isAwake = connection.state().status === 'awake';
      if (isAwake && !wasAwake) onReturn();
      wasAwake = isAwake;
    });
  }, [connection]);
}
