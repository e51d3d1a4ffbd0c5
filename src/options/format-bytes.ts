/** A size as a person reads it in that language: `512 bytes`, `1.4 kB`. */
export function formatBytes(bytes: number, language: string): string {
  const isLarge = bytes >= 1_000;
  const format = new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isLarge ? 'kilobyte' : 'byte',
    unitDisplay: isLarge ? 'short' : 'long',
    maximumFractionDigits: 1,
  });
  return format.format(isLarge ? bytes / 1_000 : bytes);
}
