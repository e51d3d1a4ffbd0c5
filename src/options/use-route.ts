import { useMemo, useSyncExternalStore } from 'react';

import { parseRoute } from './parse-route.ts';
import type { Route } from './route.ts';

/** What the address of this page shows. `undefined` in what the build renders, which is the same for every address. */
export function useRoute(): Route | undefined {
  const hash = useSyncExternalStore<string | undefined>(
    subscribe,
    () => location.hash,
    () => undefined,
  );
  return useMemo(() => (hash === undefined ? undefined : parseRoute(hash)), [hash]);
}

function subscribe(listener: () => void): () => void {
  addEventListener('hashchange', listener);
  return () => removeEventListener('hashchange', listener);
}
