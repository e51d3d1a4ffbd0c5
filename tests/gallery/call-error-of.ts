import { CallError } from '../../src/messaging/errors.ts';
import type { ErrorReport } from '../../src/messaging/errors.ts';

/** How a call ended for the page that made it. */
export function callErrorOf(report: ErrorReport): CallError {
  return new CallError('gallery', report, 'handled');
}
