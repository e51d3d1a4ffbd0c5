import { type ComponentProps, type ReactNode, useEffect, useId, useRef } from 'react';

import { useTranslate } from './extension.ts';

interface ButtonProps {
  /** Without it, the button submits the form around it. */
  readonly onPress?: () => void;
  /** Takes no press while what it started goes on, but keeps the focus. */
  readonly isBusy?: boolean;
  /** The first thing to do on the page. */
  readonly isPrimary?: boolean;
  /** Removes something for good. */
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
      type={onPress ? 'button' : 'submit'}
      className="button"
      data-primary={isPrimary}
      data-destructive={isDestructive}
      aria-disabled={isBusy}
      // The Enter key in a field of the form presses it as well.
      onClick={isBusy ? (event) => event.preventDefault() : onPress}
    >
      {children}
    </button>
  );
}

/** What an `<input>` takes, except for these. */
interface TextFieldProps extends Omit<ComponentProps<'input'>, 'className' | 'onChange'> {
  /** Stands above the field and is its accessible name. */
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

export function TextField({ label, onChange, ...input }: TextFieldProps) {
  return (
    <label className="stack">
      {label}
      <input {...input} className="field" onChange={({ target }) => onChange(target.value)} />
    </label>
  );
}

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
