import { type ReactNode, useEffect, useSyncExternalStore } from 'react';

import { retryFailedCalls, useSubscription } from '../../ui/calls.ts';
import { type LinkTarget, useTranslate } from '../../ui/extension.ts';
import { Alert, CallFailure } from '../../ui/failure.tsx';
import type { StorageState } from './background.ts';

interface StorageNoticeProps {
  /** Link to the view that saves or removes unreadable data. Missing in that view. */
  readonly link?: LinkTarget | undefined;
}

/** Reports that stored data is gone, read-only or unreadable. */
export function StorageNotice({ link }: StorageNoticeProps) {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  const noted = useSyncExternalStore(watchNote, readNote)?.split(' ');
  const isNotRead = storage.status === 'failed' && storage.error.code === 'NOT_READ';

  useEffect(() => {
    if (storage.status === 'ready' && !storage.value.isEmpty) noteStored(storage.value);
  }, [storage]);

  function sentences(): ReactNode {
    if (storage.status !== 'ready') return undefined;
    const isGone =
      noted && (storage.value.isEmpty || storage.value.absent.some((key) => noted.includes(key)));
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

const KEY = 'stored';

/**
 * Lists the stored documents outside of the store. A browser that cannot read its database starts an empty one or drops
 * entries, without an error. This list shows that a missing document was stored before.
 */
export function noteStored({ documents, unreadable }: StorageState): void {
  const keys = new Set([...(readNote()?.split(' ') ?? []), ...documents]);
  // The person may remove an unreadable value, and then nothing is lost.
  for (const { key } of unreadable) keys.delete(key);
  try {
    localStorage.setItem(KEY, [...keys].join(' '));
  } catch {
    // `localStorage` is not available. A later loss of data is then not reported.
  }
}

/** Returns the keys of the noted documents, with spaces between them, or `undefined` if nothing was stored before. */
function readNote(): string | undefined {
  try {
    // The text is empty if no document was stored yet.
    return localStorage.getItem(KEY) || undefined;
  } catch {
    return undefined;
  }
}

/** Calls the listener when another page has changed the note. */
function watchNote(onChange: () => void): () => void {
  addEventListener('storage', onChange);
  return () => removeEventListener('storage', onChange);
}
