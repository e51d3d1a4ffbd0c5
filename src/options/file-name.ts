import { storageFormat } from '../contract/storage-format.ts';

/** A name for a file saved today: `nine-points-2026-11-21.json`, with `what` before the date if it is not all. */
export function fileName(what?: string): string {
  const today = new Date().toISOString().slice(0, 10);
  return `${[storageFormat, what, today].filter((part) => part !== undefined).join('-')}.json`;
}
