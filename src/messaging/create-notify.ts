/** Wakes one waiter. A notification that comes while nobody waits is kept, once, for the next who does. */
export function createNotify(): { readonly notify: () => void; readonly notified: () => Promise<void> } {
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
