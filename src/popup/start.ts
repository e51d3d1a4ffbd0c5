import type { Api } from '../background/features.ts';
import { translate } from '../platform/translate.ts';
import { createPageClient } from '../platform/port.ts';
import { openOptions } from '../platform/tabs.ts';
import { mountPopup } from './popup.tsx';

/** Maximum wait for the first frame in ms. A hidden page does not get one. */
const PATIENCE = 100;

// Lets the browser paint the prerendered frame before other work starts.
await new Promise((resolve) => {
  requestAnimationFrame(resolve);
  setTimeout(resolve, PATIENCE);
});

mountPopup({ client: createPageClient<Api>(), translate, openOptions });
