import { zipSync } from 'fflate';
import type { Zippable } from 'fflate';

/** A zip of these files that is the same, byte by byte, wherever and whenever it is made. */
export function createZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  // A zip keeps times as a clock on the wall shows them, in no time zone: this is the earliest that it can.
  const mtime = new Date(1980, 0, 1);
  const entries: Zippable = {};
  for (const path of [...files.keys()].toSorted()) {
    entries[path] = [files.get(path) ?? new Uint8Array(), { level: 9, mtime }];
  }
  return zipSync(entries);
}
