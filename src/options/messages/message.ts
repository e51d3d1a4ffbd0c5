import type { CallRecord } from '../../contract/call-record.ts';

/** A record with a key that is this page's own: the worker's numbers start over with every worker. */
export interface Message extends CallRecord {
  readonly key: number;
}
