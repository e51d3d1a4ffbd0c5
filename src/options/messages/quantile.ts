/** The least value that at least that share of them, 0 to 1, does not exceed; none of none. */
export function quantile(values: readonly number[], share: number): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.max(Math.ceil(sorted.length * share), 1) - 1];
}
