const KEY = 'hasStored';

/**
 * Leaves a note beside the store that something was stored, so that it can be told when all of it is gone: a browser
 * that can make no sense of its database any more starts a new one, and says nothing.
 */
export function noteStored(): void {
  try {
    localStorage.setItem(KEY, 'yes');
  } catch {
    // Without notes nobody can tell.
  }
}

/** Whether something was stored here before, as far as anybody can tell. */
export function wasStoredBefore(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
