import type { Transaction } from '../messaging/server/state.ts';
import type { Json } from '../messaging/json.ts';
import type { Document } from './define-document.ts';
import { quarantine, readQuarantine, writeQuarantine } from './quarantine.ts';
import { readDocument } from './read-document.ts';

/** A document in a transaction. */
interface OpenDocument<Data> {
  readonly data: Data;
  /** Stages new data. */
  readonly write: (data: Data) => void;
}

/**
 * Reads a document within a transaction and stages what has to be put in order first: migrated data, and initial data
 * in the place of what cannot be read, which goes into quarantine. Gives nothing where a newer version of the extension
 * has written: that stays as it is.
 */
export async function openDocument<Data>(
  state: Transaction,
  document: Document<Data>,
): Promise<OpenDocument<Data> | undefined> {
  const stored = await state.get(document.key);
  const { status, data } = readDocument(document, stored);
  if (status === 'newer') return undefined;
  if (status === 'invalid' && !(await setAside(state, document.key, stored))) return undefined;

  const write = (next: Data): void =>
    // What the schema has let through came from JSON; `set` proves whatever a handler made of it.
    state.set(document.key, { version: document.version, data: next as Json });
  if (status === 'older' || status === 'invalid') write(data);
  return { data, write };
}

/** Stages a value for the quarantine, or says that there is no place for it. */
async function setAside(state: Transaction, key: string, value: Json = null): Promise<boolean> {
  const kept = readQuarantine(await state.get(quarantine.key));
  if (kept === undefined) return false;

  writeQuarantine(state, [...kept, { document: key, at: Date.now(), value }]);
  return true;
}
