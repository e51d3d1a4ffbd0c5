import { createNotify } from './create-notify.ts';

/** How many values a stream may send before its consumer asks for more. */
export interface Credit {
  readonly grant: (count: number) => void;
  /** Waits for one unit and uses it up. Resolves to `false`, at once, when the signal is aborted. */
  readonly take: () => Promise<boolean>;
}

/** The credit of one stream, none at first. */
export function createCredit(signal: AbortSignal): Credit {
  const { notify, notified } = createNotify();
  let available = 0;
  signal.addEventListener('abort', notify);

  return {
    grant: (count) => {
      available += count;
      notify();
    },
    take: async () => {
      while (available === 0 && !signal.aborted) await notified();
      available -= 1;
      return !signal.aborted;
    },
  };
}
