/** A name for a file saved today: `nine-points-messages-2026-11-21.json`. */
export function fileName(what: string): string {
  const now = new Date();
  // In the person's own time zone, which `toISOString` is not.
  const today = [now.getFullYear(), now.getMonth() + 1, now.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-');
  return `nine-points-${what}-${today}.json`;
}
