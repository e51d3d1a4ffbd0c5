import { callers } from './callers.ts';
import { proceduresFor } from './messaging/procedures.ts';

/** Declare a procedure with its handler. Only the callers of this extension can be listed. Only the background imports this. */
export const { query, mutation, subscription } = proceduresFor(callers);
