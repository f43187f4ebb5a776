/** Microsoft documentation, "STRING_ESCAPE": the special characters of JSON. */
const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '/': '\\/',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
};

export const escapeJson = (value: string): string =>
  Array.from(value, (c) => escapes[c] ?? (c < ' ' ? `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}` : c)).join('');
