import type { ErrorReport } from './call-error.ts';
import type { Procedure } from './procedure.ts';
import { readOutput } from './read-output.ts';
import { Refusal } from './refusal.ts';

/** Keeps, in the worker, what no caller may see, and gives the id that the caller is told instead. */
export type Log = (error: unknown) => string;

/** What the caller is told of an error. The cause of a refusal, and whatever is no refusal, goes to the log alone. */
export async function reportFailure(error: unknown, log: Log, procedure?: Procedure): Promise<ErrorReport> {
  const report = error instanceof Refusal ? await asDeclared(error.report, procedure) : undefined;
  if (report !== undefined && (error as Refusal).cause === undefined) return report;

  return { code: report?.code ?? 'INTERNAL', incident: log(error) };
}

/** The report with its declared data as the schema reads it, or nothing when the data breaks the contract. */
async function asDeclared(report: ErrorReport, procedure?: Procedure): Promise<ErrorReport | undefined> {
  if (report.declared === undefined) return report;

  const { name, data } = report.declared;
  const { errors = {}, maxBytes = 0 } = procedure ?? {};
  const schema = Object.hasOwn(errors, name) ? errors[name] : undefined;
  if (schema === undefined) return undefined;

  // Data that breaks its schema, or a schema that throws, is the worker's mistake, and costs no caller its answer.
  const read = readOutput(schema, maxBytes, data);
  return read.then((value) => ({ ...report, declared: { name, data: value } })).catch(() => undefined);
}
