/** How many values a stream may send before its consumer asks for more. */
export interface Credit {
  readonly grant: (count: number) => void;
  /** Waits for one unit and uses it up. Resolves to `false`, at once, when the signal is aborted. */
  readonly take: () => Promise<boolean>;
}

/** The credit of one stream, none at first. */
export function createCredit(signal: AbortSignal): Credit {
  let available = 0;
  let granted = Promise.withResolvers<void>();
  signal.addEventListener('abort', () => granted.resolve());

  return {
    grant: (count) => {
      available += count;
      granted.resolve();
    },
    take: async () => {
      while (available === 0 && !signal.aborted) {
        await granted.promise;
        granted = Promise.withResolvers<void>();
      }
      available -= 1;
      return !signal.aborted;
    },
  };
}
