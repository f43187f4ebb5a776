/** Adds an item to the list of a key. The first item makes the list. */
export function addToList<K, T>(lists: Map<K, T[]>, key: K, item: T): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [item]);
  else list.push(item);
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
