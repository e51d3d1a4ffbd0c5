import type { ReactNode } from 'react';

import { useBackground } from './background.ts';
import type { CallState } from './calls.ts';
import { useTranslate } from './extension.ts';
import { CallFailure } from './failure.tsx';

interface CallResultProps<Value> {
  readonly state: CallState<Value>;
  readonly children: (value: Value) => ReactNode;
}

/**
 * Shows the result of a call, a text until the background has answered, or its failure. A page reports each failure only once, so this
 * leaves a failed background to `BackgroundStatus` and a store that cannot be read to `StorageNotice`.
 */
export function CallResult<Value>({ state, children }: CallResultProps<Value>) {
  const t = useTranslate();
  const hasFailed = useBackground().status === 'failed';
  const isReported = hasFailed || (state.status === 'failed' && state.error.code === 'NOT_READ');

  function content(): ReactNode {
    if (state.status === 'ready') return children(state.value);
    if (isReported) return <p role="status">{t(hasFailed ? 'background_needed' : 'storage_needed')}</p>;
    return state.status === 'loading' && <p role="status">{t('loading')}</p>;
  }

  return (
    <>
      {content()}
      <CallFailure state={isReported ? { status: 'reported' } : state} />
    </>
  );
}
