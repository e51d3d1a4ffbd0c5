/** Milliseconds as a person reads them in that language: `1.2 ms`, `340 ms`. */
export function formatDuration(duration: number, language: string): string {
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: 'millisecond',
    maximumFractionDigits: duration < 10 ? 1 : 0,
  });
  return format.format(duration);
}
