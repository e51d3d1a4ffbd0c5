import { createPageClient } from '../../../src/platform/port.ts';
import type { EventApi } from './worker.ts';

declare global {
  /** The client of this page. Tests call it. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var eventful: ReturnType<typeof createPageClient<EventApi>>;
}

globalThis.eventful = createPageClient<EventApi>();
document.title = 'ready';
