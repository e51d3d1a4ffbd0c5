import { callers } from './callers.ts';
import { proceduresFor } from './messaging/index.ts';

// Everything that declares a feature of this extension. Only the background imports this.
export * from './messaging/index.ts';

/** Declare procedures with their handlers. Only the callers of this extension can be listed. */
export const { query, mutation, subscription, expose } = proceduresFor(callers);
