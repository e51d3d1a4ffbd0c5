import { storage } from 'webextension-polyfill';

/** The key of the session's id in `storage.session`. */
const SESSION = 'messaging/session';

/** The id of the session. It is known after it was read or removed. */
let session: string | undefined;

/**
 * Returns an id of the browser's session. `storage.session` outlives the background, but neither the browser nor an update of
 * the extension.
 */
export async function readSession(): Promise<string> {
  const { [SESSION]: stored } = await storage.session.get(SESSION);
  if (typeof stored === 'string') return (session = stored);
  session ??= crypto.randomUUID();
  await storeSession(session);
  return session;
}

/**
 * Puts the id back if other code removes it, for example with `storage.session.clear()` when a person signs out. Without the id,
 * the next background would remove the state of the session. Call it before the first script of the background ends, because
 * the removal also starts a background that sleeps.
 */
export function keepSession(): void {
  storage.session.onChanged.addListener(({ [SESSION]: change }) => {
    if (typeof change?.oldValue !== 'string') return;
    session ??= change.oldValue;
    if (change.newValue !== session) void storeSession(session);
  });
}

async function storeSession(id: string): Promise<void> {
  try {
    await storage.session.set({ [SESSION]: id });
  } catch (error) {
    // Usually, `storage.session` is full.
    console.warn('State of this session will be lost when the background stops:', error);
  }
}
