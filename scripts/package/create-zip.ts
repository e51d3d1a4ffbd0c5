import { zipSync } from 'fflate';
import type { Zippable } from 'fflate';

/** Every entry's time, which a zip keeps as a clock on the wall shows it, in no time zone: the earliest that it can. */
const TIME = new Date(1980, 0, 1);

/** A zip of these files that is the same, byte by byte, wherever and whenever it is made. */
export function createZip(files: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const entries: Zippable = {};
  for (const path of [...files.keys()].toSorted()) {
    entries[path] = [files.get(path) ?? new Uint8Array(), { level: 9, mtime: TIME }];
  }
  return zipSync(entries);
}
