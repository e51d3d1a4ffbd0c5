import type { ErrorReport } from './call-error.ts';

/**
 * Ends a call, inside the worker, in an error that its caller is told. Everything else that is thrown is `INTERNAL`.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly report: ErrorReport;

  constructor(report: ErrorReport, options?: ErrorOptions) {
    super(report.code, options);
    this.report = report;
  }
}
