import { createPageClient } from '../../../src/platform/port.ts';
import type { TaskApi } from './worker.ts';

declare global {
  /** The client of this page. Tests call it. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var tasked: ReturnType<typeof createPageClient<TaskApi>>;
}

globalThis.tasked = createPageClient<TaskApi>();
document.title = 'ready';
