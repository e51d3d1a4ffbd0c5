import { type ReactNode, useEffect, useState } from 'react';

import { retryFailedCalls, useSubscription } from '../../ui/calls.ts';
import { type LinkTarget, useTranslate } from '../../ui/extension.ts';
import { Alert, CallFailure } from '../../ui/failure.tsx';

interface StorageNoticeProps {
  /** Link to the view that saves or removes unreadable data. Missing in that view. */
  readonly link?: LinkTarget | undefined;
}

/** Reports that stored data is gone, read-only or unreadable. */
export function StorageNotice({ link }: StorageNoticeProps) {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  // Read only when the page opens, because this page notes the data that it stores itself.
  const [hadStored] = useState(wasStoredBefore);
  const isStored = storage.status === 'ready' && !storage.value.isEmpty;
  const isNotRead = storage.status === 'failed' && storage.error.code === 'NOT_READ';

  useEffect(() => {
    if (isStored) noteStored();
  }, [isStored]);

  function sentences(): ReactNode {
    if (storage.status !== 'ready') return undefined;
    const isGone = storage.value.isEmpty && hadStored;
    const isReadOnly = storage.value.readOnly.length > 0;
    const isUnreadable = storage.value.unreadable.length > 0;
    return (
      (isGone || isReadOnly || isUnreadable) && (
        <>
          {isGone && <p>{t('storage_gone')}</p>}
          {isReadOnly && <p>{t('storage_read_only')}</p>}
          {isUnreadable && (
            <p>
              {t('storage_quarantined')} {link && <a {...link}>{t('storage_quarantined_link')}</a>}
            </p>
          )}
        </>
      )
    );
  }

  return (
    <div className="notice">
      <Alert>{sentences()}</Alert>
      {/* A retry repeats all failed calls. `BackgroundStatus` reports a lost connection. */}
      <CallFailure state={isNotRead ? { ...storage, retry: retryFailedCalls } : { status: 'ready' }} />
    </div>
  );
}

const KEY = 'hasStored';

/**
 * Notes, outside of the store, that data was stored. A browser that can no longer read its database silently starts an
 * empty one. Only this note distinguishes that from a new installation.
 */
export function noteStored(): void {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // `localStorage` is not available. A loss of data is then not reported.
  }
}

function wasStoredBefore(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
