import * as v from 'valibot';

import type { Json } from '../../src/messaging/wire/json.ts';
import { defineDocument } from '../../src/messaging/define/documents.ts';

const Specimen = v.looseObject({ lines: v.array(v.string()), color: v.picklist(['red', 'blue']) });

/** A document for tests, in the third version: the first had `text`, the second has `lines`, the third adds `color`. */
export const specimen = defineDocument({
  key: 'specimen',
  schema: Specimen,
  migrations: [splitText, addColor],
  initial: { lines: [], color: 'blue' },
});

/** The same document in older code, which knows the second version. */
export const specimenOfOldCode = defineDocument({
  key: 'specimen',
  schema: v.looseObject({ lines: v.array(v.string()) }),
  migrations: [splitText],
  initial: { lines: [] },
});

function splitText(data: Json): Json {
  const { text } = data as { readonly text: string };
  return { lines: text.split('\n') };
}

function addColor(data: Json): Json {
  return { ...(data as { readonly [key: string]: Json }), color: 'red' };
}
