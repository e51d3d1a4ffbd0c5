import type { GenericSchema } from 'valibot';

import type { Json } from '../messaging/json.ts';

/** Something that is kept under one key of the store, as `{ version, data }`. */
export interface Document<Data> {
  /** In the store. Stays for good. */
  readonly key: string;
  /** Of the shape of `data`: 1, and one more with every migration. */
  readonly version: number;
  /** Proves data of this version. Lets members pass that it does not know: a newer version may have added them. */
  readonly schema: GenericSchema<unknown, Data>;
  readonly migrations: readonly Migration[];
  /** What holds where nothing is stored or what is stored cannot be read. */
  readonly initial: Data;
}

/**
 * Turns the data of one version into that of the next. Has no effects: it may run any number of times before what it
 * gives is written. What it throws makes the document unreadable.
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
