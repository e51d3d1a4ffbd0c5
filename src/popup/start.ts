import type { contract } from '../contract/contract.ts';
import { translate } from '../platform/extension.ts';
import { createPageClient } from '../platform/port.ts';
import { openOptions } from '../platform/toolbar.ts';
import { mountPopup } from './popup.tsx';

/** Milliseconds to wait for the first frame: a page that is hidden has none. */
const PATIENCE = 100;

// First the frame that the build has rendered: work before it would delay it.
await new Promise((resolve) => {
  requestAnimationFrame(resolve);
  setTimeout(resolve, PATIENCE);
});

// Then React takes over the page and asks the background, which may have to be started.
mountPopup({ client: createPageClient<typeof contract>(), translate }, openOptions);
