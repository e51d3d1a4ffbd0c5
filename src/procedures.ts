import { callers } from './callers.ts';
import { proceduresFor } from './messaging/define/procedures.ts';

/** Declare procedures with their handlers. Only the callers of this extension can be listed. Only the background imports this. */
export const { query, mutation, subscription, expose } = proceduresFor(callers);
