import { storageFormat } from '../contract/storage-format.ts';

/** A name for a file saved today: `nine-points-2026-11-21.json`, with `what` before the date if it is not all. */
export function fileName(what?: string): string {
  const now = new Date();
  // In the person's own time zone, which `toISOString` is not.
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `${[storageFormat, what, today].filter((part) => part !== undefined).join('-')}.json`;
}
