import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import { CallError } from './call-error.ts';
import type { Procedure } from './procedure.ts';

/** Whether a call to `procedure` ended in the error that it declares under `name`; types the data that came with it. */
export function isDeclaredError<P extends Procedure, Name extends keyof P['errors'] & string>(
  _procedure: P,
  name: Name,
  error: unknown,
): error is DeclaredError<Name, DataOf<P, Name>> {
  return error instanceof CallError && error.declared?.name === name;
}

type DeclaredError<Name, Data> = Omit<CallError, 'declared'> & {
  readonly declared: { readonly name: Name; readonly data: Data };
};

type DataOf<P extends Procedure, Name extends keyof P['errors']> = Schema.InferOutput<P['errors'][Name]>;
