/** Adds an item to the list of a key. The first item makes the list. */
export function addToList<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
}

/** How often each item comes, the most frequent first; of equally frequent ones, the one that came first. */
export function countEach<T>(items: Iterable<T>): ReadonlyMap<T, number> {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return new Map([...counts].sort(([, a], [, b]) => b - a));
}

/** "read-only (2), offline (1), others (3)": the first `most` of the counts, and the sum of the others. */
export function nameCounts<T>(
  counts: ReadonlyMap<T, number>,
  most: number,
  write: (item: T, count: number) => string,
  writeRest: (count: number) => string,
): string {
  const named = [...counts].slice(0, most).map(([item, count]) => write(item, count));
  const rest = [...counts.values()].slice(most).reduce((sum, count) => sum + count, 0);
  return [...named, ...(rest === 0 ? [] : [writeRest(rest)])].join(', ');
}

/** A record with a value for each name. */
export function makeRecord<N extends string, T>(
  names: readonly N[],
  valueOf: (name: N, at: number) => T,
): Record<N, T> {
  const record: Partial<Record<N, T>> = {};
  names.forEach((name, at) => (record[name] = valueOf(name, at)));
  return record as Record<N, T>;
}

const collator = new Intl.Collator('en', { numeric: true });

/** The order of names: `Sales2` before `Sales10`, whatever their case. */
export const compareNames = (a: string, b: string): number => collator.compare(a, b);
