import { type ReactNode, useEffect, useId, useRef } from 'react';

import { useTranslate } from './extension.ts';

interface ButtonProps {
  readonly onPress: () => void;
  /** Set while the action runs: the button ignores presses and keeps the focus. */
  readonly isBusy?: boolean;
  /** Marks the main action of the page. */
  readonly isPrimary?: boolean;
  /** Marks an action that cannot be undone. */
  readonly isDestructive?: boolean;
  readonly children: ReactNode;
}

export function Button({
  onPress,
  isBusy = false,
  isPrimary = false,
  isDestructive = false,
  children,
}: ButtonProps) {
  return (
    <button
      type="button"
      className="button"
      data-primary={isPrimary}
      data-destructive={isDestructive}
      aria-disabled={isBusy}
      onClick={isBusy ? undefined : onPress}
    >
      {children}
    </button>
  );
}

interface CheckboxProps {
  readonly label: string;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
}

export function Checkbox({ label, isChecked, onChange }: CheckboxProps) {
  return (
    <label className="wrap choice">
      <input type="checkbox" checked={isChecked} onChange={({ target }) => onChange(target.checked)} />
      {label}
    </label>
  );
}

interface ConfirmDialogProps {
  /** Question that the dialog asks. */
  readonly title: string;
  /** Label of the button that confirms. */
  readonly action: string;
  readonly onConfirm: () => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Asks for confirmation. Escape cancels. After it closes, the focus returns to the previous element. */
export function ConfirmDialog({ title, action, onConfirm, onCancel, children }: ConfirmDialogProps) {
  const t = useTranslate();
  const heading = useId();
  const dialog = useRef<HTMLDialogElement>(null);

  // A layout effect would run during the key press that opens the dialog, and the same key would press a button in it.
  useEffect(() => {
    const shown = dialog.current;
    if (shown?.open === false) shown.showModal();
  }, []);

  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      className="dialog"
      onClose={() => (dialog.current?.returnValue === 'confirmed' ? onConfirm() : onCancel())}
    >
      <h2 id={heading}>{title}</h2>
      {children}
      <div className="wrap">
        <Button onPress={() => dialog.current?.close()}>{t('cancel')}</Button>
        <Button isDestructive onPress={() => dialog.current?.close('confirmed')}>
          {action}
        </Button>
      </div>
    </dialog>
  );
}
