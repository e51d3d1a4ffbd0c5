import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import { untilAborted } from '../wire/waiting.ts';
import { type ErrorReport, ProcedureError } from '../wire/errors.ts';
import { checkJson, copyJson, type Json, type JsonError } from '../wire/json.ts';
import type { AnyProcedure } from '../define/procedures.ts';

/**
 * Returns the input of a call as the handler gets it.
 *
 * @param limits those of the caller
 * @throws ProcedureError `NOT_JSON`, `TOO_LARGE` or `INVALID_INPUT`
 */
export async function parseInput(
  { input: schema, maxSize }: AnyProcedure,
  input: unknown,
  limits: { readonly maxSize: number },
): Promise<unknown> {
  const fail = ({ code, issues = [] }: ErrorReport): Error => new ProcedureError({ code, issues });
  if (schema !== undefined) {
    const limit = Math.min(maxSize, limits.maxSize);
    return parse(schema, () => (input === undefined ? input : checkJson(input, limit)), fail);
  }
  if (input === undefined) return undefined;
  throw fail({ code: 'INVALID_INPUT', issues: [{ path: '', message: 'No input is expected.' }] });
}

/** Returns an output, or the data of a declared error, as the caller gets it. @throws TypeError if it does not fit its schema */
export async function parseAnswer(
  schema: Schema,
  maxSize: number,
  procedure: string,
  returned: unknown,
): Promise<Json> {
  const fail = ({ code, issues }: ErrorReport): Error =>
    new TypeError(
      `The output or the error data of "${procedure}" is wrong (${code}): ${JSON.stringify(issues)}`,
    );
  // Copied before it is validated, so that the value that is sent is the validated one.
  return (await parse(schema, () => copyJson(returned, maxSize), fail)) as Json;
}

/** Returns the part of an error that the caller gets. Logs each error that has a cause or becomes `INTERNAL`. */
export async function reportFailure(
  error: unknown,
  { name, signal }: { readonly name: string; readonly signal: AbortSignal },
  { errors, maxSize }: Pick<AnyProcedure, 'errors' | 'maxSize'>,
  log: (error: unknown) => string,
): Promise<ErrorReport> {
  try {
    // If a proxy was thrown, this line may throw.
    if (error instanceof ProcedureError) {
      const { report, cause } = error;
      if (cause !== undefined) return { code: report.code, incident: log(error) };
      // A handler may have put anything into it, and a report that cannot be sent would never arrive.
      if (report.declared === undefined) return copyJson(report) as unknown as ErrorReport;

      const { declared } = report;
      const schema = Object.hasOwn(errors, declared.name) ? errors[declared.name] : undefined;
      if (schema !== undefined) {
        const data = await untilAborted(signal, () => parseAnswer(schema, maxSize, name, declared.data));
        return { ...report, declared: { name: declared.name, data } };
      }
    }
  } catch (defect) {
    // The data of a declared error breaks its schema, or the schema throws or takes too long.
    return { code: 'INTERNAL', incident: log(defect) };
  }
  return { code: 'INTERNAL', incident: log(error) };
}

/** Maximum number of reported issues, and of characters of each text. They limit the size of an answer. */
const [MAX_ISSUES, MAX_TEXT] = [20, 200];

/** Shortens a text. Half a character, which its end may be, cannot be sent. */
const shorten = (text: string): string => text.slice(0, MAX_TEXT).toWellFormed();

/** Parses JSON with a schema of any library. @param toJson may throw a `JsonError` */
async function parse(
  schema: Schema,
  toJson: () => Json | undefined,
  fail: (report: ErrorReport) => Error,
): Promise<unknown> {
  let json: Json | undefined;
  try {
    json = toJson();
  } catch (error) {
    throw fail(error as JsonError);
  }
  const result = await schema['~standard'].validate(json);
  if (result.issues === undefined) return result.value;

  const issues = result.issues.slice(0, MAX_ISSUES).map(({ message, path = [] }) => {
    const keys = path.map((step) => String(typeof step === 'object' ? step.key : step));
    return { path: shorten(keys.join('.')), message: shorten(message) };
  });
  throw fail({ code: 'INVALID_INPUT', issues });
}
