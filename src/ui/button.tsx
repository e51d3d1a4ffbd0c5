import type { ReactNode } from 'react';

interface ButtonProps {
  readonly onPress: () => void;
  /** Takes no press while what it started goes on, but keeps the focus. */
  readonly isBusy?: boolean;
  /** Removes something for good. */
  readonly isDestructive?: boolean;
  readonly children: ReactNode;
}

export function Button({ onPress, isBusy = false, isDestructive = false, children }: ButtonProps) {
  return (
    <button
      type="button"
      className="button"
      data-destructive={isDestructive}
      aria-disabled={isBusy}
      onClick={isBusy ? undefined : onPress}
    >
      {children}
    </button>
  );
}
