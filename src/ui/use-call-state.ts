import { useEffect, useEffectEvent, useState } from 'react';

import type { CallState } from './call-state.ts';
import { toCallError } from './to-call-error.ts';
import { useReturnOfWorker } from './use-return-of-worker.ts';

type Run<Value> = (signal: AbortSignal, take: (value: Value) => void) => Promise<void>;

/**
 * Runs a call for as long as the component is shown, and again when `key` changes, when the person retries, or when it
 * has failed and the worker is heard again.
 */
export function useCallState<Value>(key: string, run: Run<Value>): CallState<Value> {
  const [attempt, setAttempt] = useState(0);
  const call = `${attempt} ${key}`;
  const [latest, setLatest] = useState<{ readonly call: string; readonly state: CallState<Value> }>();
  const state: CallState<Value> = latest?.call === call ? latest.state : { status: 'loading' };
  const start = useEffectEvent(run);

  useEffect(() => {
    const abort = new AbortController();
    const { signal } = abort;
    const become = (next: CallState<Value>): void => {
      if (!signal.aborted) setLatest({ call, state: next });
    };

    start(signal, (value) => become({ status: 'ready', value })).catch((error: unknown) => {
      const retry = (): void => setAttempt((count) => count + 1);
      become({ status: 'failed', error: toCallError(error), retry });
    });
    return () => abort.abort();
  }, [call]);

  useReturnOfWorker(() => {
    if (state.status === 'failed') state.retry();
  });

  return state;
}
