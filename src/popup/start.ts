import { translate } from '../platform/extension.ts';
import { createPageClient } from '../platform/port.ts';
import { openOptions } from '../platform/toolbar.ts';

/** Milliseconds that React waits for the first answer at most. */
const PATIENCE = 100;

// First the frame that the build has rendered: it has no script to wait for. Then the background, which may have to be
// started, is asked while React is loaded. React renders with the answer that is there by then.
await Promise.race([new Promise(requestAnimationFrame), delay()]);

const client = createPageClient();
<<<<<<< HEAD
const count = client.query('questions.count');

const { mountPopup } = await import('./popup.tsx');
// A failure is handled where the answer is awaited.
await Promise.race([count.catch(() => undefined), delay()]);
mountPopup({ client, translate, prefetched: new Map([['questions.count', count]]) }, openOptions);
=======
// A failure is handled where React asks again.
const specified = client.query('points.specified').catch(() => undefined);

const { mountPopup } = await import('./popup.tsx');
const early = await Promise.race([specified, delay()]);
mountPopup({ client, translate, prefetched: new Map([['points.specified', early]]) }, openOptions);
>>>>>>> main

/** Also ends the wait for a frame in a page that is hidden, which has none. */
function delay(): Promise<undefined> {
  return new Promise((resolve) => {
    setTimeout(() => resolve(undefined), PATIENCE);
  });
}
