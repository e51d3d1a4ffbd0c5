import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Issue } from './call-error.ts';

type Validated =
  | { readonly value: unknown; readonly issues?: undefined }
  | { readonly issues: readonly Issue[] };

/** Reads a value through a schema of whatever library. */
export async function validate(schema: Schema, value: unknown): Promise<Validated> {
  const validating = schema['~standard'].validate(value);
  const result = validating instanceof Promise ? await validating : validating;
  return result.issues === undefined ? { value: result.value } : { issues: result.issues.map(toIssue) };
}

function toIssue({ message, path = [] }: Schema.Issue): Issue {
  return { path: path.map((step) => String(typeof step === 'object' ? step.key : step)).join('.'), message };
}
