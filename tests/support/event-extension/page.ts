import { createPageClient } from '../../../src/platform/port.ts';
import type { eventContract } from './worker.ts';

declare global {
  /** The client of a page of the event extension, for tests to call with. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var eventful: ReturnType<typeof createPageClient<typeof eventContract>>;
}

globalThis.eventful = createPageClient<typeof eventContract>();
document.title = 'ready';
