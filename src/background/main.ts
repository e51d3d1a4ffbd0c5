import { callers } from '../callers.ts';
import { startBackground } from '../platform/start.ts';
import { reportLateListeners } from '../platform/listeners.ts';
import { localStore } from '../platform/local-store.ts';
import { features } from './features.ts';

if (import.meta.env.DEV) reportLateListeners();
startBackground(callers, features, {
  store: localStore,
  log: (incident, error) => console.error(`Incident ${incident}:`, error),
});
