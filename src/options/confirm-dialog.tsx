import { useEffect, useId, useRef } from 'react';
import type { ReactNode } from 'react';

import { Button } from '../ui/button.tsx';
import { useTranslate } from '../ui/use-translate.ts';
import styles from './confirm-dialog.module.css';

interface ConfirmDialogProps {
  /** The question. */
  readonly title: string;
  /** What will be done, on the button that does it. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Asks before something is done. Escape says no, and the focus goes back to where it was. */
export function ConfirmDialog({ title, action, onConfirm, onCancel, children }: ConfirmDialogProps) {
  const t = useTranslate();
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // Not in the layout effect: that is within the key press that asked, which would then press a button in here too.
  useEffect(() => {
    const shown = dialog.current;
    if (shown?.open === false) shown.showModal();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      className={styles['dialog']}
      onClose={() => (dialog.current?.returnValue === 'confirmed' ? onConfirm() : onCancel())}
    >
      <h2 id={heading} className={styles['title']}>
        {title}
      </h2>
      <div className={styles['content']}>{children}</div>
      <div className={styles['buttons']}>
        <Button onPress={() => dialog.current?.close()}>{t('cancel')}</Button>
        <Button isMain onPress={() => dialog.current?.close('confirmed')}>
          {action}
        </Button>
      </div>
    </dialog>
  );
}
