import type { ReactNode } from 'react';

interface ButtonProps {
  readonly onPress: () => void;
  /** Takes no press while what it started goes on, but keeps the focus. */
  readonly isBusy?: boolean;
  /** The one that answers the question. */
  readonly isMain?: boolean;
  readonly children: ReactNode;
}

export function Button({ onPress, isBusy = false, isMain = false, children }: ButtonProps) {
  return (
    <button
      type="button"
      className="button"
      data-main={isMain}
      aria-disabled={isBusy}
      onClick={isBusy ? undefined : onPress}
    >
      {children}
    </button>
  );
}
