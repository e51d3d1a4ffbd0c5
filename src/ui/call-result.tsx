import { type ReactNode, useRef } from 'react';

import { useBackground } from './use-background.ts';
import { type CallState, retryFailedCalls } from './calls.ts';
import { Button } from './controls.tsx';
import { useTranslate } from './extension.ts';
import { CallFailure } from './failure.tsx';

interface CallResultProps<Value> {
  readonly state: CallState<Value>;
  readonly children: (value: Value) => ReactNode;
}

/**
 * Shows a loading text until the background has answered, and then the result or the failure. A page reports each failure
 * only once, so this leaves a failed background to `BackgroundStatus`. If the store cannot be read, many calls
 * fail at once. Then this shows one line, and `StorageNotice` shows the failure.
 */
export function CallResult<Value>({ state, children }: CallResultProps<Value>) {
  const t = useTranslate();
  const hasFailed = useBackground().status === 'failed';
  const isNotRead = !hasFailed && state.status === 'failed' && state.error.code === 'NOT_READ';
  const place = useRef<HTMLDivElement>(null);

  function content(): ReactNode {
    if (state.status === 'ready') return children(state.value);
    if (hasFailed) return <p role="status">{t('background_needed')}</p>;
    return state.status === 'loading' && <p role="status">{t('loading')}</p>;
  }

  function retry(): void {
    // The button disappears with the failure, so the focus moves here.
    place.current?.focus();
    retryFailedCalls();
  }

  return (
    <>
      {content()}
      <div ref={place} tabIndex={-1} className={isNotRead ? 'wrap' : 'quiet'}>
        <p role="status">{isNotRead && t('storage_needed')}</p>
        {isNotRead && <Button onPress={retry}>{t('retry')}</Button>}
      </div>
      <CallFailure state={hasFailed || isNotRead ? { status: 'reported' } : state} />
    </>
  );
}
