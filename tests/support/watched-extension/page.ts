import { createPageClient } from '../../../src/platform/port.ts';
import { sendMalformed } from './malformed-frames.ts';
import type { watchedContract } from './worker.ts';

declare global {
  /** The client of a page of the watched extension, for tests to call with. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var watched: ReturnType<typeof createPageClient<typeof watchedContract>> & {
    readonly sendMalformed: typeof sendMalformed;
  };
}

globalThis.watched = { ...createPageClient<typeof watchedContract>(), sendMalformed };
document.title = 'ready';
