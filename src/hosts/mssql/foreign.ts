/** Reads what another extension handed over: it may be anything, and a getter of it may throw. */

/** A property; undefined where there is none or where reading it fails. */
export function read(value: unknown, key: string): unknown {
  try {
    return (value as Readonly<Record<string, unknown>> | null | undefined)?.[key];
  } catch {
    return undefined;
  }
}

/** A property that is a text with something in it; else null. */
export function readText(value: unknown, key: string): string | null {
  const text = read(value, key);
  return typeof text === 'string' && text.trim() !== '' ? text : null;
}
