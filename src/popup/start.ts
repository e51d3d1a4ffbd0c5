import { translate } from '../platform/extension.ts';
import { createPageClient } from '../platform/port.ts';
import { openOptions } from '../platform/toolbar.ts';

/** Milliseconds that React waits for the first answer at most. */
const PATIENCE = 100;

// First the frame that the build has rendered: it has no script to wait for. Then the background, which may have to be
// started, is asked while React is loaded. React renders with the answer that is there by then.
await Promise.race([new Promise(requestAnimationFrame), delay()]);

const client = createPageClient();
// A failure is handled where React asks again.
const count = client.query('questions.count').catch(() => undefined);

const { mountPopup } = await import('./popup.tsx');
const early = await Promise.race([count, delay()]);
mountPopup({ client, translate, prefetched: new Map([['questions.count', early]]) }, openOptions);

/** Also ends the wait for a frame in a page that is hidden, which has none. */
function delay(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), PATIENCE);
  });
}
