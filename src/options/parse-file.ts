import type { ParseError } from 'jsonc-parser';

import type { FileFault } from '../contract/storage-file.ts';
import type { Json } from '../messaging/json.ts';

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
  try {
    return { status: 'parsed', value: JSON.parse(text) as Json };
  } catch {
    return { status: 'wrong', faults: [{ reason: 'no-json', ...(await findPlace(text)) }] };
  }
}

/** Where a text stops being JSON. What the browsers say of it differs, and often leaves the place out. */
async function findPlace(text: string): Promise<{ line: number; column: number }> {
  const { parse } = await import('jsonc-parser');
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: true });
  const lines = text.slice(0, errors[0]?.offset).split('\n');
  return { line: lines.length, column: (lines.at(-1)?.length ?? 0) + 1 };
}
