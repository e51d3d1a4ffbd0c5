import * as v from 'valibot';

import { defineDocument } from '../../../src/background/document.ts';
import type { Document } from '../../../src/background/document.ts';
import { defineContract, mutation, query } from '../../../src/messaging/contract.ts';
import type { Json, Json as JsonValue } from '../../../src/messaging/json.ts';

const Specimen = v.looseObject({ lines: v.array(v.string()), color: v.picklist(['red', 'blue']) });

type Specimen = v.InferOutput<typeof Specimen>;

/** A document to test with, of the third version of its shape: `text`, then `lines`, then `color` as well. */
export const specimen: Document<Specimen> = defineDocument({
  key: 'specimen',
  schema: Specimen,
  migrations: [splitText, addColor],
  initial: { lines: [], color: 'blue' },
});

/** The same document as an older version of the code knew it. */
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

/** Any JSON value. */
const Json = v.custom<JsonValue>(() => true);

/** One document, whatever the version of the code makes of it. */
export const versionedContract = defineContract({
  'specimen.read': query({ callers: ['options'], output: Json }),
  /** Adds a line; answers whether it could. */
  'specimen.append': mutation({ callers: ['options'], input: v.string(), output: v.boolean() }),
  /** Stages a value that is not JSON and answers with the error. */
  'specimen.spoil': mutation({ callers: ['options'], input: v.string(), output: v.string() }),
});

/** Values that are not JSON, by name. New ones on each call. */
export function unstorableValues(): Readonly<Record<string, unknown>> {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  return {
    NaN: Number.NaN,
    '-0': [-0],
    Infinity: { below: Infinity },
    '-Infinity': -Infinity,
    function: () => {},
    BigInt: 1n,
    Date: new Date(0),
    Map: new Map([[1, 2]]),
    cycle: cycle,
    'lone surrogate': '\uD800',
    'inherited name': { below: { toString: 1 } },
    'undefined member': { gone: undefined },
  };
}
