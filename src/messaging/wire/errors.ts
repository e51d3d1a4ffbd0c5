import type { Json } from './json.ts';

/** All ways in which a call can fail. */
export type ErrorCode =
  /** The background has no procedure of that name and kind. */
  | 'UNKNOWN_PROCEDURE'
  /** The procedure does not list this caller, or the background serves no calls of this page. */
  | 'FORBIDDEN'
  /** The input is not JSON; `issues` says where. */
  | 'NOT_JSON'
  /** The input is larger than the `maxSize` of the procedure or the caller, or too large for any message. */
  | 'TOO_LARGE'
  /** The input does not fit the schema, or an option of the call is invalid; `issues` says where. */
  | 'INVALID_INPUT'
  /** The procedure ended in an error that it declares; see `declared`. */
  | 'DECLARED'
  /** The caller has reached its limit of open calls; see `contentScript`. */
  | 'TOO_MANY_CALLS'
  /** The call would change data that a newer version of the extension wrote. The data stays as it is. */
  | 'READ_ONLY'
  /** The new state could not be written; the old state is intact. */
  | 'NOT_STORED'
  /** The state could not be read; this attempt has changed nothing. */
  | 'NOT_READ'
  /** The mutation took effect earlier, and its outcome is no longer stored. */
  | 'ALREADY_MADE'
  /** The handler failed; the background's log has the cause under `incident`. */
  | 'INTERNAL'
  /** The deadline of the call passed, or its turn took more than five seconds. A query takes one only while it prepares the state. */
  | 'TIMEOUT'
  /** The caller's signal was aborted. */
  | 'ABORTED'
  /** The page closed before its call was answered. Only observers get it. */
  | 'DISCONNECTED'
  /** This page can no longer reach the background, because the extension was reloaded, updated or removed. */
  | 'UNREACHABLE';

/**
 * Tells whether a failed call may have had an effect:
 *
 * - `not-sent`: it had none
 * - `handled`: the background has answered, and this call did not change the state
 * - `unknown`: the call was not answered, or it is a mutation that was sent more than once
 */
export type Delivery = 'not-sent' | 'unknown' | 'handled';

/** An error in an input. */
export interface Issue {
  /** Keys from the input down to the fault, joined by dots. Empty if the input itself is wrong. */
  readonly path: string;
  readonly message: string;
}

/** The part of an error that crosses the wire. It never has the message, stack or cause of an exception. */
export interface ErrorReport {
  readonly code: ErrorCode;
  readonly issues?: readonly Issue[];
  readonly declared?: { readonly name: string; readonly data: Json };
  readonly incident?: string;
}

/** The one error class that callers see. */
export class CallError extends Error {
  override readonly name = 'CallError';
  declare readonly procedure: string;
  declare readonly code: ErrorCode;
  declare readonly delivery: Delivery;
  declare readonly issues: readonly Issue[];
  declare readonly declared: ErrorReport['declared'];
  declare readonly incident: string | undefined;

  constructor(procedure: string, { code, issues = [], declared, incident }: ErrorReport, delivery: Delivery) {
    const details = issues.map(({ path, message }) => [path, message].filter(Boolean).join(': '));
    super([procedure, code, ...details, declared?.name, incident].filter(Boolean).join(' · '));
    Object.assign(this, { procedure, code, delivery, issues, declared, incident });
  }
}

/** A `CallError` with an error that its procedure declares. */
export type DeclaredError<Name, Data> = Omit<CallError, 'declared'> & {
  readonly declared: { readonly name: Name; readonly data: Data };
};

/** Returns `true` for an error that a procedure declares under this name. */
export function isDeclared(procedure: string, name: string, error: unknown): boolean {
  return error instanceof CallError && error.procedure === procedure && error.declared?.name === name;
}

/** An error that a handler throws to report it to its caller. Any other error is reported as `INTERNAL`. */
export class ProcedureError extends Error {
  override readonly name = 'ProcedureError';
  readonly report: ErrorReport;

  /** @param options `cause` is only logged in the background. The caller gets the incident id of that log entry. */
  constructor(report: ErrorReport, options?: ErrorOptions) {
    super(report.code, options);
    this.report = report;
  }
}
