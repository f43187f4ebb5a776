/** Nearest rank (PERCENTILE_DISC) of values in ascending order: the smallest that at least this many percent do not exceed; null where there is none. */
export function pickRank(sorted: Float64Array, percent: number): number | null {
  return sorted[Math.ceil((percent * sorted.length) / 100) - 1] ?? null;
}
