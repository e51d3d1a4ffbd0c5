import { parse } from 'jsonc-parser';
import type { ParseError } from 'jsonc-parser';

import type { FileFault } from '../contract/storage-file.ts';
import type { Json } from '../messaging/json.ts';
import { measureJson } from '../messaging/measure-json.ts';
import type { JsonFault } from '../messaging/measure-json.ts';

/** Why a file cannot even be asked about. */
export type UnreadableFile =
  | { readonly reason: 'too-large' | 'no-file' }
  | { readonly reason: 'no-json'; readonly line: number; readonly column: number };

/** Anything that can be wrong with a file. */
export type WrongFile = UnreadableFile | FileFault;

export type ParsedFile =
  | { readonly status: 'parsed'; readonly value: Json }
  | { readonly status: 'wrong'; readonly faults: readonly WrongFile[] };

/** Bytes of the largest file that is read: more than the store holds. */
const MOST_BYTES = 12 * 1024 * 1024;

/** Reads a file that a person has chosen. Never rejects. */
export async function parseFile(file: File): Promise<ParsedFile> {
  if (file.size > MOST_BYTES) return { status: 'wrong', faults: [{ reason: 'too-large' }] };

  let text: string;
  try {
    text = await file.text();
  } catch {
    // It was moved, or may not be read.
    return { status: 'wrong', faults: [{ reason: 'no-file' }] };
  }
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return { status: 'wrong', faults: [{ reason: 'no-json', ...findPlace(text) }] };
  }
  // Some of what JSON can say comes through no wire and no store unchanged.
  const size = measureJson(value);
  return typeof size === 'number'
    ? { status: 'parsed', value }
    : { status: 'wrong', faults: [{ reason: 'shape', ...shapeOf(size) }] };
}

function shapeOf({ path, found }: JsonFault): Omit<FileFault, 'reason'> {
  return { path: path === '' ? [] : path.split('.'), expected: 'storable', received: found };
}

/** Where a text stops being JSON. What the browsers say of it differs, and often leaves the place out. */
function findPlace(text: string): { line: number; column: number } {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const lines = text.slice(0, errors[0]?.offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
