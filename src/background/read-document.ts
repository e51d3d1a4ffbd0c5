import * as v from 'valibot';

import type { Json } from '../messaging/json.ts';
import type { Document } from './define-document.ts';

/**
 * What the store holds of a document, and the data to go by.
 *
 * - `absent`: nothing; the initial data
 * - `current`: data of this version
 * - `older`: data of an older version, migrated
 * - `newer`: data that this version of the extension does not know; the initial data, and nothing may be written
 * - `invalid`: something that cannot be read; the initial data, and the original has to be kept
 *   before anything is written
 */
export interface Reading<Data> {
  readonly status: 'absent' | 'current' | 'older' | 'newer' | 'invalid';
  readonly data: Data;
  /** Why it is invalid, as the schema says. */
  readonly issues?: readonly v.BaseIssue<unknown>[];
}

const Stored = v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1)), data: v.unknown() });

/** Reads a document from what the store holds under its key. Never throws. */
export function readDocument<Data>(document: Document<Data>, stored: Json | undefined): Reading<Data> {
  const { version, schema, initial } = document;
  if (stored === undefined) return { status: 'absent', data: initial };

  const envelope = v.safeParse(Stored, stored);
  if (!envelope.success) return { status: 'invalid', data: initial, issues: envelope.issues };

  const { version: written, data } = envelope.output;
  if (written > version) return { status: 'newer', data: initial };

  const result = v.safeParse(schema, migrate(document, written, data as Json));
  return result.success
    ? { status: written < version ? 'older' : 'current', data: result.output }
    : { status: 'invalid', data: initial, issues: result.issues };
}

/** The data as of this version, or nothing where a migration cannot read it. */
function migrate({ migrations }: Document<unknown>, written: number, data: Json): Json | undefined {
  try {
    return migrations.slice(written - 1).reduce((older, step) => step(older), data);
  } catch {
    return undefined;
  }
}
