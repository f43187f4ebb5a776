/** The one log of this extension, and the one place where secrets are taken out of it. */
import { makeVisible } from '../core/visible';

/** The part of a vscode.LogOutputChannel that is written to. */
export interface LogSink {
  info(message: string): void;
  warn(message: string): void;
  error(message: string): void;
}

export interface Log extends LogSink {
  /** A text that changes something on a server (our own event session only), written down before it runs. */
  statement(server: string, title: string, text: string): void;
  /** From now on this exact text never appears in the log: a password that was just read or typed. */
  hide(secret: string): void;
}

const hidden = '***';

/** A value in a connection string or in T-SQL: quoted in one of the ways that either allows, or up to the next separator. */
const value = String.raw`(?:N?'(?:[^']|'')*'|"(?:[^"\\]|\\.|"")*"|\{[^}]*\}|[^\s;,&"']+)`;
const secretName = String.raw`(?:password|passwd|pwd|secret|access[_ ]?token|refresh[_ ]?token|api[_ ]?key|shared[_ ]?access[_ ]?(?:key|signature)|account[_ ]?key|sig)`;

const patterns: readonly (readonly [RegExp, string])[] = [
  [new RegExp(String.raw`(["']?\b${secretName}\b["']?\s*[=:]\s*)${value}`, 'gi'), `$1${hidden}`],
  [/\b(Bearer|Basic)\s+[A-Za-z0-9._~+/=-]{8,}/gi, `$1 ${hidden}`],
  [/\beyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,2}/g, hidden],
  [/(\b[a-z][a-z0-9+.-]*:\/\/[^\s:/@]+:)[^\s@/]+@/gi, `$1${hidden}@`],
];

/** The text without passwords, keys and tokens: in connection strings, JSON, T-SQL, URLs and headers, and wherever one of these secrets stands by itself. */
export function redact(text: string, secrets: Iterable<string> = []): string {
  let clean = text;
  for (const secret of secrets) clean = clean.split(secret).join(hidden);
  return patterns.reduce((redacted, [pattern, replacement]) => redacted.replace(pattern, replacement), clean);
}

/** Shorter ones would blank out innocent text, and the patterns still find them behind their names. */
const leastSecretLength = 4;

export function createLog(sink: LogSink): Log {
  const secrets = new Set<string>();
  // Secrets first: they are known as they are. A stack and a statement keep their lines.
  const clean = (text: string): string => redact(text, secrets).split('\n').map(makeVisible).join('\n');
  return {
    info: (message) => sink.info(clean(message)),
    warn: (message) => sink.warn(clean(message)),
    error: (message) => sink.error(clean(message)),
    statement: (server, title, text) => sink.info(clean(`${server}: ${title}\n${text}`)),
    hide: (secret) => {
      if (secret.length >= leastSecretLength) secrets.add(secret);
    },
  };
}

/** An error as one sentence for people. */
export function describeError(error: unknown): string {
  const message = (error instanceof Error ? error.message : String(error)).trim();
  return message === '' ? 'Something failed without saying why.' : message;
}
