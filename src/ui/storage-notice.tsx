import { type ReactNode, useEffect, useState } from 'react';

import { useSubscription } from './calls.ts';
import { useTranslate } from './extension.ts';
import { Alert, CallFailure } from './failure.tsx';
import { usePreferences } from './page.tsx';
import type { LinkTarget } from './points.tsx';

interface StorageNoticeProps {
  /** Where what could not be read can be saved or removed; left out in that place itself. */
  readonly link?: LinkTarget;
}

/** What is unusual about the stored state: nothing at all most of the time. */
export function StorageNotice({ link }: StorageNoticeProps) {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  // As the page began: what it stores itself is noted as well.
  const [hadStored] = useState(wasStoredBefore);
  // Preferences fail for the same reason: that is reported once.
  const notRead = [storage, usePreferences()].flatMap((state) =>
    state.status === 'failed' && state.error.code === 'NOT_READ' ? [state] : [],
  );
  const isStored = storage.status === 'ready' && !storage.value.isEmpty;

  useEffect(() => {
    if (isStored) noteStored();
  }, [isStored]);

  return (
    <div className="notice">
      <Alert>{sentences()}</Alert>
      {/* Any other failure is reported where the background is spoken of. */}
      <CallFailure
        state={
          notRead[0] === undefined
            ? { status: 'ready' }
            : { ...notRead[0], retry: () => notRead.forEach(({ retry }) => retry()) }
        }
      />
    </div>
  );

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
}

const KEY = 'hasStored';

/**
 * Notes outside the store that something was stored, to notice when all of it is gone: a browser that can no longer read
 * its database starts a new one without an error.
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
