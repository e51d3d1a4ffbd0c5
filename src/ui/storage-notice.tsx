import { useEffect, useState } from 'react';
import type { ReactNode } from 'react';

import { Alert } from './alert.tsx';
import { CallFailure } from './call-failure.tsx';
import type { LinkTarget } from './point-cell.tsx';
import styles from './storage-notice.module.css';
import { noteStored, wasStoredBefore } from './stored-before.ts';
import { useSubscription } from './use-subscription.ts';
import { useTranslate } from './use-translate.ts';

interface StorageNoticeProps {
  /** Where what was set aside can be saved or removed; left out in that place itself. */
  readonly link?: LinkTarget;
}

/** What is unusual about the stored state: nothing at all most of the time. */
export function StorageNotice({ link }: StorageNoticeProps) {
  const t = useTranslate();
  const storage = useSubscription('storage.watch');
  // As the page began: what it stores itself may be noted before the worker tells that the store is not empty.
  const [hadStored] = useState(wasStoredBefore);
  const isNotRead = storage.status === 'failed' && storage.error.code === 'NOT_READ';
  const isStored = storage.status === 'ready' && !storage.value.isEmpty;

  useEffect(() => {
    if (isStored) noteStored();
  }, [isStored]);

  return (
    <div className={styles['notice']}>
      <Alert className={styles['sentences']}>{sentences()}</Alert>
      {/* Whatever else fails is told where the background is spoken of. */}
      <CallFailure state={isNotRead ? storage : { status: 'loading' }} />
    </div>
  );

  function sentences(): ReactNode {
    if (storage.status !== 'ready') return undefined;
    const isGone = storage.value.isEmpty && hadStored;
    const isReadOnly = storage.value.readOnly.length > 0;
    const isSetAside = storage.value.quarantined.length > 0;
    return (
      (isGone || isReadOnly || isSetAside) && (
        <>
          {isGone && <p>{t('storage_gone')}</p>}
          {isReadOnly && <p>{t('storage_read_only')}</p>}
          {isSetAside && (
            <p>
              {t('storage_quarantined')} {link && <a {...link}>{t('storage_quarantined_link')}</a>}
            </p>
          )}
        </>
      )
    );
  }
}
