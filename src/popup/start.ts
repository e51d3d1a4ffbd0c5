import type { contract } from '../contract.ts';
import { translate } from '../platform/extension.ts';
import { createPageClient } from '../platform/port.ts';
import { openOptions } from '../platform/tabs.ts';
import { mountPopup } from './popup.tsx';

/** Milliseconds to wait for the first frame: a hidden page has none. */
const PATIENCE = 100;

// The frame that the build has rendered is painted first. Other work would delay it.
await new Promise((resolve) => {
  requestAnimationFrame(resolve);
  setTimeout(resolve, PATIENCE);
});

mountPopup({ client: createPageClient<typeof contract>(), translate, openOptions });
