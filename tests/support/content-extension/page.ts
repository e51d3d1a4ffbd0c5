import { createPageClient } from '../../../src/platform/browser-client.ts';
import type { ContentApi } from './feature.ts';

declare global {
  /** The client of this page. Tests call it. */
  // oxlint-disable-next-line no-var -- only `var` declares a property of the global object
  var own: ReturnType<typeof createPageClient<ContentApi>>;
}

globalThis.own = createPageClient<ContentApi>();
// A page that is not in the table of callers has no counter.
follow().catch(() => {});

/** Shows the counter in the title. */
async function follow(): Promise<void> {
  for await (const count of own.subscribe('counter.watch')) document.title = String(count);
}
