/** Reads objects of another extension. They may be anything, and their getters may throw. */

/** A property; undefined if it does not exist or cannot be read. */
export function read(value: unknown, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** A property that is a text and not empty; else null. */
export function readText(value: unknown, key: string): string | null {
  const text = read(value, key);
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}
