import * as v from 'valibot';

import { Unreadable } from '../contract/storage.ts';
import type { Transaction } from '../messaging/server/state.ts';
import { copyJson, type Json } from '../messaging/json.ts';

/** Something that is kept under one key of the store, as `{ version, data }`. */
export interface Document<Data> {
  /** In the store. Stays for good. */
  readonly key: string;
  /** Of the shape of `data`: 1, and one more with every migration. */
  readonly version: number;
  /** Validates data of this version. Lets unknown members pass: a newer version may have added them. */
  readonly schema: v.GenericSchema<unknown, Data>;
  readonly migrations: readonly Migration[];
  /** Data to use when nothing is stored or the stored value cannot be read. */
  readonly initial: Data;
}

/**
 * Turns the data of one version into that of the next. Has no effects: it may run any number of times before what it
 * returns is written. What it throws makes the document unreadable.
 */
type Migration = (data: Json) => Json;

interface Definition<Data> extends Omit<Document<Data>, 'version' | 'migrations'> {
  /** From version 1 to 2, from 2 to 3 and so on. Never changed, only added to. */
  readonly migrations?: readonly Migration[];
}

/** Declares a document. In `documents.ts` it is migrated and guarded with the others. */
export function defineDocument<Data>({ migrations = [], ...definition }: Definition<Data>): Document<Data> {
  return { ...definition, migrations, version: migrations.length + 1 };
}

/**
 * What the store holds of a document, and the data to go by.
 *
 * - `absent`: nothing; the initial data
 * - `current`: data of this version
 * - `older`: data of an older version, migrated
 * - `newer`: data of a newer version of the extension; the initial data, and nothing may be written
 * - `invalid`: something that cannot be read, or could not be written again; the initial data, and the original has to
 *   be kept before anything is written
 */
export interface Reading<Data> {
  readonly status: 'absent' | 'current' | 'older' | 'newer' | 'invalid';
  readonly data: Data;
}

const Stored = v.object({ version: v.pipe(v.number(), v.integer(), v.minValue(1)), data: v.unknown() });

/** Reads a document from what the store holds under its key. Never throws. */
export function readDocument<Data>(document: Document<Data>, stored: Json | undefined): Reading<Data> {
  const { version, schema, initial } = document;
  if (stored === undefined) return { status: 'absent', data: initial };

  const envelope = v.safeParse(Stored, stored);
  if (!envelope.success) return { status: 'invalid', data: initial };

  const { version: written, data } = envelope.output;
  if (written > version) return { status: 'newer', data: initial };
  // A database may hold what no transaction takes, half a character for example. Every change of it would fail.
  if (!isStorable(document.key, stored)) return { status: 'invalid', data: initial };

  const result = v.safeParse(schema, migrate(document, written, data as Json));
  return result.success
    ? { status: written < version ? 'older' : 'current', data: result.output }
    : { status: 'invalid', data: initial };
}

/** The version of what the store holds of a document, if that can be read. */
export function storedVersion(stored: Json | undefined): number | undefined {
  const envelope = v.safeParse(Stored, stored);
  return envelope.success ? envelope.output.version : undefined;
}

/** Checked with its key, at the depth at which it is stored. */
function isStorable(key: string, stored: Json): boolean {
  try {
    copyJson({ [key]: stored });
    return true;
  } catch {
    return false;
  }
}

/** The data migrated to this version, or `undefined` if a migration throws. */
function migrate({ migrations }: Document<unknown>, written: number, data: Json): Json | undefined {
  try {
    return migrations.slice(written - 1).reduce((older, step) => step(older), data);
  } catch {
    return undefined;
  }
}

/** Puts these documents in order, in one write: migrates the old, sets aside what cannot be read. */
export async function migrateDocuments(
  documents: readonly Document<unknown>[],
  state: Transaction,
): Promise<void> {
  for (const document of documents) await openDocument(state, document);
}

/** A document in a transaction. */
interface OpenDocument<Data> {
  readonly data: Data;
  /** Stages new data. */
  readonly write: (data: Data) => void;
}

/**
 * Reads a document within a transaction and stages what has to be put in order first: migrated data, and initial data
 * in the place of what cannot be read, which goes into quarantine. Returns `undefined` if a newer version of the
 * extension wrote the document, which stays as it is.
 */
export async function openDocument<Data>(
  state: Transaction,
  document: Document<Data>,
): Promise<OpenDocument<Data> | undefined> {
  const stored = await state.get(document.key);
  const { status, data } = readDocument(document, stored);
  if (status === 'newer') return undefined;
  if (status === 'invalid' && !(await setAside(state, document.key, stored))) return undefined;

  const write = (next: Data): void => writeDocument(state, document, next);
  if (status === 'older' || status === 'invalid') write(data);
  return { data, write };
}

/** Stages data that replaces the stored value. */
export function writeDocument<Data>(state: Transaction, document: Document<Data>, data: Data): void {
  // Data that passed the schema came from JSON; `set` validates what a handler made of it.
  state.set(document.key, { version: document.version, data: data as Json });
}

/** What could not be read under the key of a document. Kept until the person removes it. */
export const quarantine: Document<readonly Unreadable[]> = defineDocument({
  key: 'quarantine',
  schema: v.array(Unreadable),
  migrations: [
    // Version 1 kept the original as a value, and stores limit the depth of values.
    (entries) =>
      v
        .parse(v.array(v.object({ document: v.string(), at: v.number(), value: v.unknown() })), entries)
        .map(({ document, at, value }) => ({ document, at, text: toText(value) })),
  ],
  initial: [],
});

/**
 * The entries in quarantine, or `undefined` if a newer version wrote them. A quarantine that cannot be read is its own
 * only entry.
 */
export function readQuarantine(stored: Json | undefined): readonly Unreadable[] | undefined {
  const { status, data } = readDocument(quarantine, stored);
  if (status === 'newer') return undefined;
  return status === 'invalid' ? [toUnreadable(quarantine.key, stored)] : data;
}

/** What is stored under a key and cannot be read, as it was found. */
export function toUnreadable(document: string, stored: unknown, at = 0): Unreadable {
  return { document, at, text: toText(stored) };
}

/** Stages a value for the quarantine. Returns whether that was possible. */
async function setAside(state: Transaction, key: string, stored: Json = null): Promise<boolean> {
  const kept = readQuarantine(await state.get(quarantine.key));
  if (kept === undefined) return false;

  writeDocument(state, quarantine, [...kept, toUnreadable(key, stored, Date.now())]);
  return true;
}

/** JSON text, which escapes what is half a character. What Firefox stores and is not JSON is kept as a description. */
function toText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? 'null';
  } catch {
    return JSON.stringify(String(value));
  }
}
