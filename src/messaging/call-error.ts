import type { Json } from './json.ts';

/**
 * Every way a call can end badly:
 *
 * - `UNKNOWN_PROCEDURE`: the contract has no procedure of that name and kind
 * - `FORBIDDEN`: the procedure does not list this caller
 * - `NOT_JSON`: the input is not JSON; `issues` says where
 * - `TOO_LARGE`: the input is larger than the procedure's `maxBytes`
 * - `INVALID_INPUT`: the input does not fit the schema; `issues` says where
 * - `DECLARED`: the procedure ended in an error of its contract; see `declared`
 * - `NOT_STORED`: the new state could not be written; the old state is intact
 * - `NOT_READ`: the state could not be read or locked; this attempt has changed nothing, see `delivery`
 * - `INTERNAL`: the handler failed; the worker's log has the cause under `incident`
 * - `TIMEOUT`: the deadline of the call passed
 * - `ABORTED`: the caller's signal was aborted, or a mutation came that its page has given up
 * - `DISCONNECTED`: the worker died during a call that must not be sent twice; in a record, the page went first
 * - `UNREACHABLE`: this page can reach no worker any more: the extension was reloaded, updated or removed
 */
export type ErrorCode =
  | 'UNKNOWN_PROCEDURE'
  | 'FORBIDDEN'
  | 'NOT_JSON'
  | 'TOO_LARGE'
  | 'INVALID_INPUT'
  | 'DECLARED'
  | 'NOT_STORED'
  | 'NOT_READ'
  | 'INTERNAL'
  | 'TIMEOUT'
  | 'ABORTED'
  | 'DISCONNECTED'
  | 'UNREACHABLE';

/**
 * Whether the call had an effect: certainly none (`not-sent`), as the worker's answer says (`handled`), or nobody can
 * tell: it was sent and not answered, or only an attempt after the first was.
 */
export type Delivery = 'not-sent' | 'unknown' | 'handled';

/** One thing that is wrong with an input. */
export interface Issue {
  /** Keys from the input down, joined by dots; empty for the input itself. */
  readonly path: string;
  readonly message: string;
}

/** What of an error crosses the wire: never a message, stack or cause of the worker's own exceptions. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly issues?: readonly Issue[];
  readonly declared?: { readonly name: string; readonly data: Json };
  readonly incident?: string;
}

/** The one error class at the border. */
export class CallError extends Error {
  override readonly name = 'CallError';
  declare readonly code: ErrorCode;
  declare readonly delivery: Delivery;
  declare readonly issues: readonly Issue[];
  declare readonly declared: ErrorReport['declared'];
  declare readonly incident: string | undefined;

  constructor(procedure: string, { code, issues = [], declared, incident }: ErrorReport, delivery: Delivery) {
    const details = issues.map(({ path, message }) => `${path} ${message}`);
    super([procedure, code, ...details, declared?.name, incident].filter(Boolean).join(' · '));
    Object.assign(this, { code, delivery, issues, declared, incident });
  }
}
