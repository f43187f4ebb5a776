/** The only log of this extension, and the only place where secrets are removed from it. */
import { makeVisible } from '../../core/visible';

/** The part of a vscode.LogOutputChannel that we write to. */
interface LogSink {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface Log extends LogSink {
  /** Logs a text that changes something on a server (only our own event session), before it runs. */
  statement(server: string, title: string, text: string): void;
  /** From now on this exact text never appears in the log. For a password that was just read or typed. */
  hide(secret: string): void;
}

const HIDDEN = '***';

interface Range {
  readonly from: number;
  readonly to: number;
}

/**
 * What stands before a secret: its name, perhaps in quotes, and the sign after it. `sig` alone is a part of too many
 * words.
 */
const secretName = String.raw`(?:(?:password|passwd|pwd|secret|access[_ ]?token|refresh[_ ]?token|api[_ ]?key|shared[_ ]?access[_ ]?(?:key|signature)|account[_ ]?key)|\bsig)`;
const names = new RegExp(String.raw`${secretName}\b(?:\\*["']|&(?:quot|apos|#34|#39);)?\s*[=:]\s*`, 'gi');

/** Secrets without a name. All of the match is hidden except its first group. */
const shapes: readonly RegExp[] = [
  /(\b(?:Bearer|Basic)\s+)[A-Za-z0-9._~+/=-]{8,}/gi,
  /()\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,2}/g,
];

/**
 * A text with more names of secrets than this is an attack: all behind the first one is hidden, so that the search does
 * not take long.
 */
const MOST_NAMES = 50;

/** Up to the next separator or the end of the line. The semicolon of an XML entity is not a separator. */
const REST = /(?:&(?:quot|apos|amp|lt|gt|#\w+);|[^;\r\n])*/y;

/**
 * The text without passwords, keys and tokens: in connection strings, JSON, T-SQL, URLs and headers, and if one of
 * these secrets stands alone. If a text can be read in two ways, hides what is the secret in either. It is better to
 * lose too much than too little.
 */
export function redact(text: string, secrets: Iterable<string> = []): string {
  const ranges = [
    ...[...secrets].flatMap((secret) => findExact(text, secret)),
    ...shapes.flatMap((shape) => findShape(text, shape)),
    ...findInAddresses(text),
    ...findNamed(text),
  ];
  let at = 0;
  const kept = merge(ranges).map(({ from, to }) => {
    const before = text.slice(at, from);
    at = to;
    return before + HIDDEN;
  });
  return kept.join('') + text.slice(at);
}

function findExact(text: string, secret: string): readonly Range[] {
  const found: Range[] = [];
  for (let from = text.indexOf(secret); from >= 0; from = text.indexOf(secret, from + secret.length))
    found.push({ from, to: from + secret.length });
  return found;
}

function findShape(text: string, shape: RegExp): readonly Range[] {
  return [...text.matchAll(shape)].map((match) => ({
    from: match.index + (match[1] as string).length,
    to: match.index + match[0].length,
  }));
}

/** `scheme://user:password@host`: a password may contain an @, so it ends at the last one of the word. */
function findInAddresses(text: string): readonly Range[] {
  return [...text.matchAll(/\S+/g)].flatMap(({ 0: word, index }) => {
    const end = word.lastIndexOf('@');
    for (let at = word.indexOf('://'); at >= 0 && at < end; at = word.indexOf('://', at + 1)) {
      const [colon, slash] = [word.indexOf(':', at + 3), word.indexOf('/', at + 3)];
      const isUser = colon > 0 && colon + 1 < end && (slash < 0 || colon < slash);
      if (isUser && /[a-z0-9+.-]/i.test(word.charAt(at - 1)))
        return [{ from: index + colon + 1, to: index + end }];
    }
    return [];
  });
}

/** Looks for names inside values too, because a value may end earlier than it seems. */
function findNamed(text: string): readonly Range[] {
  const matches = [...text.matchAll(names)];
  const [first] = matches;
  if (first !== undefined && matches.length > MOST_NAMES)
    return [{ from: first.index + first[0].length, to: text.length }];
  return matches.flatMap((match) => {
    const from = match.index + match[0].length;
    const before = text.slice(0, match.index);
    const kept = before.trimEnd();
    const to = findEnd(
      text,
      from,
      kept === '' || kept.endsWith(';') || /[\r\n]/.test(before.slice(kept.length)),
    );
    return to > from ? [{ from, to }] : [];
  });
}

/**
 * @param isPair the name follows a semicolon or begins the line, as in a connection string, so the rest up to the
 * separator belongs to the value
 */
function findEnd(text: string, from: number, isPair: boolean): number {
  const [opening, isSql, quote] = readOpening(text, from);
  if (quote === '') return findRest(text, from);
  const inside = from + opening.length;
  if (quote === '{') return findRest(text, findClose(text, inside, '}', false));
  const ends = [
    findClose(text, inside, quote, false),
    ...(isSql ? [] : [findClose(text, inside, quote, true)]),
  ];
  // A text within a text: T-SQL inside T-SQL doubles its quotes.
  const isDoubled = text.startsWith(quote, inside) && /^[^\s;,)}\]&]/.test(text.slice(inside + quote.length));
  if (isDoubled) ends.push(findClose(text, inside + quote.length, quote + quote, false));
  const end = Math.max(...ends);
  return isPair || /^[^\s;,)}\]&]/.test(text.slice(end, end + 1)) ? findRest(text, end) : end;
}

/** What opens the value, whether it is a T-SQL string only, and what closes it. Empty if the value has no quotes. */
function readOpening(text: string, from: number): readonly [opening: string, isSql: boolean, quote: string] {
  const [opening = '', prefix = '', quote = ''] =
    /^(N?)(\\*["']|&(?:quot|apos|#34|#39);|\{)/i.exec(text.slice(from, from + 20)) ?? [];
  return prefix !== '' && quote !== "'" ? ['', false, ''] : [opening, prefix !== '', quote];
}

function findRest(text: string, from: number): number {
  REST.lastIndex = from;
  return from + (REST.exec(text)?.[0].length ?? 0);
}

/**
 * The position after the closing quote, or the end of the text. A doubled quote is a part of the value; so is one after
 * a backslash, if `hasEscapes`.
 */
function findClose(text: string, inside: number, quote: string, hasEscapes: boolean): number {
  for (let at = inside; at < text.length;) {
    if (text.startsWith(quote, at)) {
      const end = at + quote.length;
      if (!text.startsWith(quote, end)) return end;
      at = end + quote.length;
    } else at += skip(text, at, quote, hasEscapes);
  }
  return text.length;
}

/** If the quote itself begins with backslashes, more backslashes before it make it a part of the value. */
function skip(text: string, at: number, quote: string, hasEscapes: boolean): number {
  if (!hasEscapes || text.charAt(at) !== '\\') return 1;
  return quote.startsWith('\\') ? (/^\\+["']?/.exec(text.slice(at, at + 50))?.[0] ?? ' ').length : 2;
}

/** Sorted, with overlapping ranges as one. */
function merge(ranges: readonly Range[]): readonly Range[] {
  const merged: Range[] = [];
  for (const range of [...ranges].sort((one, other) => one.from - other.from)) {
    const last = merged[merged.length - 1];
    if (last !== undefined && range.from < last.to)
      merged[merged.length - 1] = { from: last.from, to: Math.max(last.to, range.to) };
    else merged.push(range);
  }
  return merged;
}

/** Hiding shorter ones would blank out innocent text. They are still found by their names. */
const LEAST_SECRET_LENGTH = 4;

/** The secret as it is, and as it is written within quotes, braces, JSON and addresses. */
function listSpellings(secret: string): readonly string[] {
  const doubled = ["'", '"', '}'].map((quote) => secret.split(quote).join(quote + quote));
  return [
    ...new Set([
      secret,
      ...doubled,
      JSON.stringify(secret).slice(1, -1),
      encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '')),
    ]),
  ];
}

export function createLog(sink: LogSink): Log {
  const secrets = new Set<string>();
  // First the secrets, as long as the text is unchanged. Stacks and statements keep their lines.
  const clean = (text: string): string => redact(text, secrets).split('\n').map(makeVisible).join('\n');
  return {
    info: (message) => sink.info(clean(message)),
    warn: (message) => sink.warn(clean(message)),
    error: (message) => sink.error(clean(message)),
    statement: (server, title, text) => sink.info(clean(`${server}: ${title}\n${text}`)),
    hide: (secret) => {
      if (secret.length >= LEAST_SECRET_LENGTH)
        for (const spelling of listSpellings(secret)) secrets.add(spelling);
    },
  };
}
