import type { StandardSchemaV1 as Schema } from '@standard-schema/spec';

import type { Definition } from '../define/documents.ts';
import { freeze } from '../define/frozen.ts';
import { type Json, JsonError, measureJson } from '../wire/json.ts';
import type { Held } from './memory.ts';

/** The stored form of a document or a record. */
export type Stored = { readonly version: number; readonly data: Json };

/**
 * Result of reading a stored value.
 *
 * - `absent`: nothing is stored
 * - `current`: data of this version
 * - `older`: data of an older version, migrated
 * - `newer`: written by a newer version of the extension, and must not be changed
 * - `unreadable`: does not fit, or is not JSON and so could not be written again
 */
export type Reading<Data> =
  | { readonly status: 'absent' | 'newer'; readonly data?: undefined }
  | { readonly status: 'unreadable'; readonly stored: unknown; readonly data?: undefined }
  | { readonly status: 'current' | 'older'; readonly data: Data };

/** Parses stored values of one definition, each with its size. Never rejects. */
export async function parseValues<Data>(
  definition: Definition<Data>,
  values: readonly unknown[],
): Promise<readonly Held<Reading<Data>>[]> {
  // One check of many values takes a tenth of the time of many checks.
  const whole = sizeOf(values.map((value) => value ?? null));
  const held: Held<Reading<Data>>[] = [];
  for (const value of values) {
    const size = whole === undefined ? sizeOf([value ?? null]) : whole / values.length;
    const reading: Reading<Data> | Promise<Reading<Data>> =
      size === undefined ? { status: 'unreadable', stored: value } : readStored(definition, value);
    // Most schemas are synchronous, and 10,000 promises take longer than the reading itself.
    held.push({ value: reading instanceof Promise ? await reading : reading, size: size ?? 0 });
  }
  return held;
}

/** Returns the size of values, or `undefined` if one of them is not JSON, such as a lone surrogate in a damaged database. */
function sizeOf(values: readonly unknown[]): number | undefined {
  try {
    // `toStored` also checks inside an array, so both allow the same depth.
    return measureJson(values).size;
  } catch {
    return undefined;
  }
}

/** Reads a stored value that is JSON. Its data is frozen. Never throws. Returns a promise if the schema does. */
export function readStored<Data>(
  { version, schema, migrations }: Definition<Data>,
  stored: unknown,
): Reading<Data> | Promise<Reading<Data>> {
  if (stored === undefined) return { status: 'absent' };
  const unreadable = { status: 'unreadable', stored } as const;
  if (!isEnvelope(stored)) return unreadable;
  if (stored.version > version) return { status: 'newer' };

  const status = stored.version < version ? 'older' : 'current';
  const toReading = (result: Schema.Result<Data>): Reading<Data> =>
    result.issues === undefined ? { status, data: freeze(result.value) as Data } : unreadable;
  try {
    const data = migrations.slice(stored.version - 1).reduce((older, migrate) => migrate(older), stored.data);
    const result = schema['~standard'].validate(data);
    return result instanceof Promise ? result.then(toReading, () => unreadable) : toReading(result);
  } catch {
    return unreadable;
  }
}

/** Returns the stored form of data, with its size. @throws JsonError for data that cannot be stored unchanged */
export function toStored(
  { key, version }: Definition<unknown>,
  data: unknown,
): { readonly stored: Stored; readonly size: number } {
  try {
    const { copy, size } = measureJson([{ version, data }]);
    const [stored] = copy as unknown as readonly [Stored];
    return { stored, size };
  } catch (error) {
    const { code, issues } = error as JsonError;
    throw new JsonError(code, issues[0].path.replace(/^0\.data/u, key), issues[0].message);
  }
}

/** Returns `true` for a value in the stored form, of any version. */
export function isEnvelope(stored: unknown): stored is Stored {
  const { version, data } = Object(stored) as Partial<Record<keyof Stored, unknown>>;
  return Number.isSafeInteger(version) && Number(version) > 0 && data !== undefined;
}

/** Validates data. @throws TypeError for data that does not fit. `owner` completes the sentence "The data of …". */
export async function validate<Data>(
  owner: string,
  schema: Schema<unknown, Data>,
  data: unknown,
): Promise<Data> {
  const result = await schema['~standard'].validate(data);
  if (result.issues === undefined) return result.value;
  const messages = result.issues.map(({ message }) => message).join(' ');
  throw new TypeError(`The data of ${owner} does not fit its schema. ${messages}`.trim());
}
