/**
 * A connection string as its pairs. The grammar is ADO.NET's (Microsoft Learn, "Connection Strings", "SqlConnection.ConnectionString"): `key=value;`, a value
 * quoted by `"` or `'` that is doubled inside. ODBC quotes by braces instead, where ADO.NET takes them for what they are.
 * The one library for this (@tediousjs/connection-string 1.1.0) is not used: it reads `Password=;Encrypt=True` as the password `;Encrypt=True`, `;;` as an
 * escaped semicolon, and drops a key without a value in silence.
 */

/** A key as it stands there, and as all spellings of it are compared: `Trust Server Certificate` and `trustservercertificate` are one. */
export interface Pair {
  readonly key: string;
  readonly name: string;
  readonly value: string;
}

const QUOTED = /\s*([^=;]+?)\s*=\s*("(?:[^"]|"")*"|'(?:[^']|'')*'|[^;"'][^;]*|)\s*(?:;|$)/y;
const BRACED = /\s*([^=;]+?)\s*=\s*(\{(?:[^}]|\}\})*\}|[^;{][^;]*|)\s*(?:;|$)/y;

/** @throws Error with one sentence, which holds nothing of the values: one of them is a password */
export function readPairs(text: string): readonly Pair[] {
  const plain = unwrap(text);
  const jdbc = /^\s*jdbc:sqlserver:\/\/([^;]*)/i.exec(plain);
  const rest = jdbc === null ? plain : plain.slice(jdbc[0].length);
  const pattern = new RegExp(jdbc !== null || /(^|;)\s*driver\s*=/i.test(rest) ? BRACED : QUOTED);
  const pairs = jdbc?.[1] ? [createPair('server', jdbc[1].replace(/:(?=\d+$)/, ','))] : [];
  for (let at = skipEmpty(rest, 0); at < rest.length; at = skipEmpty(rest, pattern.lastIndex)) {
    pattern.lastIndex = at;
    const found = pattern.exec(rest);
    if (found === null) throw new Error(describeDamage(rest.slice(at), pairs.length + 1));
    pairs.push(createPair(found[1] as string, unquote(found[2] as string, pattern.source === BRACED.source)));
  }
  return pairs;
}

/** As it stands in source code: the text within its quotes, where quotes inside of it have a backslash. */
function unwrap(text: string): string {
  const [, quote, inside] = /^\s*(["'])(?!\1)(.*)\1[;,]?\s*$/.exec(text) ?? [];
  return quote === undefined || inside === undefined ? text : inside.split(`\\${quote}`).join(quote);
}

function skipEmpty(text: string, from: number): number {
  let at = from;
  while (at < text.length && /[\s;]/.test(text.charAt(at))) at++;
  return at;
}

function createPair(key: string, value: string): Pair {
  return { key, name: key.toLowerCase().replace(/[\s_]/g, ''), value };
}

function unquote(value: string, isBraced: boolean): string {
  const quote = isBraced ? '}' : value.charAt(0);
  const isQuoted = isBraced ? value.startsWith('{') : quote === '"' || quote === "'";
  return isQuoted
    ? value
        .slice(1, -1)
        .split(quote + quote)
        .join(quote)
    : value.trim();
}

function describeDamage(rest: string, place: number): string {
  const [, key] = /^([^=;]*)=/.exec(rest) ?? [];
  if (key === undefined) return `This connection string cannot be read: part ${place} of it has no = sign.`;
  return `This connection string cannot be read: the quotes around the value of part ${place} do not match.`;
}
