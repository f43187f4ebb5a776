/** What each of a list has under one name; under several, in their order. Nothing of no list. */
export function valuesOf<T, K extends keyof T>(list: readonly T[] | undefined, name: K): readonly T[K][];
export function valuesOf<T>(
  list: readonly T[] | undefined,
  ...names: readonly (keyof T)[]
): readonly (readonly unknown[])[];
export function valuesOf<T>(list: readonly T[] = [], ...names: readonly (keyof T)[]): readonly unknown[] {
  return list.map((one) => (names.length === 1 ? one[names[0]!] : names.map((name) => one[name])));
}
