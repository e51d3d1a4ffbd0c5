import type { ReactNode } from 'react';

import { CallFailure } from './call-failure.tsx';
import type { CallState } from './call-state.ts';
import { useBackground } from './use-background.ts';
import { useTranslate } from './use-translate.ts';

interface CallResultProps<Value> {
  readonly state: CallState<Value>;
  /** Shown while the worker has not answered. */
  readonly loading: string;
  readonly children: (value: Value) => ReactNode;
}

/**
 * What was asked of the worker: the wait for it, the answer, or how it failed. While the background as a whole has
 * failed, that is said once, by `BackgroundStatus`, and not again by everything that waits for it.
 */
export function CallResult<Value>({ state, loading, children }: CallResultProps<Value>) {
  const t = useTranslate();
  const background = useBackground();

  return (
    <>
      {content()}
      <CallFailure state={background.status === 'failed' ? background : state} />
    </>
  );

  function content(): ReactNode {
    if (state.status === 'ready') return children(state.value);
    if (background.status === 'failed') return <p role="status">{t('background_needed')}</p>;
    return state.status === 'loading' && <p role="status">{loading}</p>;
  }
}
