/**
 * Takes a Web Lock until this background ends. Both browsers run one background at a time, so it is free at once.
 *
 * @returns a promise that resolves when the background has the lock
 */
export async function takeLock(): Promise<void> {
  return new Promise((resolve, reject) => {
    const keep = (): Promise<never> => {
      resolve();
      return new Promise(() => {});
    };
    navigator.locks.request('background', keep).catch(reject);
  });
}
