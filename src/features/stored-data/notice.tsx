import { type ReactNode, useEffect, useState } from 'react';

import { retryFailedCalls, useSubscription } from '../../ui/calls.ts';
import { type LinkTarget, useTranslate } from '../../ui/extension.ts';
import { Alert, CallFailure } from '../../ui/failure.tsx';

interface StorageNoticeProps {
  /** Link to the place where unreadable data can be saved or removed; missing in that place. */
  readonly link?: LinkTarget | undefined;
}

/** Says what is wrong with the stored data: that some or all of it is gone, read-only or unreadable. */
export function StorageNotice({ link }: StorageNoticeProps) {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  // Read once, when the page opens: data that this page stores is noted as well.
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
      {/* Other calls have failed for the same reason. Any other failure is reported by the background's status. */}
      <CallFailure state={isNotRead ? { ...storage, retry: retryFailedCalls } : { status: 'ready' }} />
    </div>
  );
}

const KEY = 'hasStored';

/**
 * Notes outside the store that something was stored. A browser that can no longer read its database starts an empty one
 * without an error, and this note tells that from a new installation.
 */
export function noteStored(): void {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // The browser does not give this page a `localStorage`.
  }
}

function wasStoredBefore(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
