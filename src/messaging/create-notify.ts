/** Wakes one waiter. A notification that comes while nobody waits is kept, once, for the next who does. */
export interface Notify {
  readonly notify: () => void;
  readonly notified: () => Promise<void>;
}

export function createNotify(): Notify {
  let isNotified = false;
  let wake: (() => void) | undefined;

  return {
    notify: () => {
      isNotified = true;
      wake?.();
    },
    notified: async () => {
      if (!isNotified) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      isNotified = false;
    },
  };
}
