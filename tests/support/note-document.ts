import * as v from 'valibot';

import { defineDocument } from '../../src/background/document.ts';
import type { Document } from '../../src/background/document.ts';
import type { Json } from '../../src/messaging/json.ts';

const Note = v.looseObject({ lines: v.array(v.string()), color: v.picklist(['red', 'blue']) });

type Note = v.InferOutput<typeof Note>;

/** A document to test with, of the third version of its shape: `text`, then `lines`, then `color` as well. */
export const note: Document<Note> = defineDocument({
  key: 'note',
  schema: Note,
  migrations: [splitText, addColor],
  initial: { lines: [], color: 'blue' },
});

/** The same document as an older version of the code knew it. */
export const noteOfOldCode = defineDocument({
  key: 'note',
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
