import type { ErrorReport } from './call-error.ts';
import type { Procedure } from './procedure.ts';
import { findFault } from './find-fault.ts';
import type { Json } from './json.ts';
import { Refusal } from './refusal.ts';
import { validate } from './validate.ts';

/** Keeps, in the worker, what no caller may see. `incident` is the id that the caller is told. */
export type Log = (incident: string, error: unknown) => void;

/** What the caller is told of an error. The cause of a refusal, and whatever is no refusal, goes to the log alone. */
export async function reportFailure(
  error: unknown,
  procedure: Procedure | undefined,
  log: Log,
): Promise<ErrorReport> {
  const report = error instanceof Refusal ? await asDeclared(error.report, procedure) : undefined;
  if (report !== undefined && (error as Refusal).cause === undefined) return report;

  const incident = crypto.randomUUID();
  log(incident, error);
  return { code: report?.code ?? 'INTERNAL', incident };
}

/** The report with its declared data as the schema reads it, or nothing when the data breaks the contract. */
async function asDeclared(
  report: ErrorReport,
  procedure: Procedure | undefined,
): Promise<ErrorReport | undefined> {
  if (report.declared === undefined) return report;

  const { name, data } = report.declared;
  const schema =
    procedure !== undefined && Object.hasOwn(procedure.errors, name) ? procedure.errors[name] : undefined;
  if (procedure === undefined || schema === undefined) return undefined;

  try {
    const result = await validate(schema, data);
    if (result.issues !== undefined || findFault(result.value, procedure.maxBytes)) return undefined;
    return { ...report, declared: { name, data: result.value as Json } };
  } catch {
    // A schema that throws is the contract's own mistake, and must not cost the caller its answer.
    return undefined;
  }
}
