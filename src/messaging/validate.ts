import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Issue } from './call-error.ts';

type Validated =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** Issues and characters of each that are told: an answer must not outgrow what was asked. */
const MOST_ISSUES = 20;
const MOST_TEXT = 200;

/** Reads a value through a schema of whatever library. */
export async function validate(schema: Schema, value: unknown): Promise<Validated> {
  const validating = schema['~standard'].validate(value);
  const result = validating instanceof Promise ? await validating : validating;
  return result.issues === undefined
    ? { value: result.value }
    : { issues: result.issues.slice(0, MOST_ISSUES).map(toIssue) };
}

function toIssue({ message, path = [] }: Schema.Issue): Issue {
  const keys = path.map((step) => String(typeof step === 'object' ? step.key : step));
  return { path: keys.join('.').slice(0, MOST_TEXT), message: message.slice(0, MOST_TEXT) };
}
