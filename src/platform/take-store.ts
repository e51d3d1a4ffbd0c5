/**
 * Takes a Web Lock for the life of this background. No browser runs two backgrounds at a time. If it did, the second would wait
 * here for the end of the first.
 *
 * @returns `true` if another background has had the lock
 */
export async function takeStore(): Promise<boolean> {
  const { locks } = navigator;
  return new Promise((resolve, reject) => {
    /** Keeps the lock until the background ends. */
    const keep = (wasTaken: boolean): Promise<never> => {
      resolve(wasTaken);
      return new Promise(() => {});
    };
    locks
      .request('state', { ifAvailable: true }, (lock) =>
        lock === null ? void locks.request('state', () => keep(true)).catch(reject) : keep(false),
      )
      .catch(reject);
  });
}
