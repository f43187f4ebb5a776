/** Text of a batch -> tokens with their lines. Knows quoting, comments and numbers, but no grammar. */
import { notModelled, syntaxError, unclosedComment, unclosedString } from './errors';
import { wordSet } from './word-set';

type TokenKind =
  | 'word'
  | 'quoted'
  | 'string'
  | 'nstring'
  | 'number'
  | 'binary'
  | 'variable'
  | 'symbol'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** Unquoted content: `a]b` for `[a]]b]`. */
  readonly text: string;
  /** Upper case, for words and symbols; empty for the rest, so that `[select]` is never a keyword. */
  readonly upper: string;
  readonly line: number;
  /** Offsets into the batch. */
  readonly start: number;
  readonly end: number;
}

const wordStart = /[\p{L}_#]/u;
const wordPart = /[\p{L}\p{N}_#$@]/u;
const twoSymbols = wordSet('<> <= >= != !< !> += -= *= /= %= &= |= ^= ::');

interface Cursor {
  readonly text: string;
  /** Text between double quotation marks is a name, not a string. */
  quotedIdentifier: boolean;
  at: number;
  line: number;
}

interface LexedBatch {
  readonly tokens: readonly Token[];
  /** As the last SET QUOTED_IDENTIFIER of the text leaves it. */
  readonly quotedIdentifier: boolean;
}

/**
 * SET QUOTED_IDENTIFIER takes effect at its place in the text, even if it would not run (Microsoft Learn, "SET
 * QUOTED_IDENTIFIER").
 * @throws SqlError 102, 105, 113.
 */
export function lexBatch(text: string, quotedIdentifier = true): LexedBatch {
  const cursor: Cursor = { text, quotedIdentifier, at: 0, line: 1 };
  const tokens: Token[] = [];
  for (;;) {
    skipBlank(cursor);
    if (cursor.at >= text.length) break;
    const token = lexToken(cursor);
    tokens.push(token);
    if ((token.upper === 'ON' || token.upper === 'OFF') && setsQuoting(tokens))
      cursor.quotedIdentifier = token.upper === 'ON';
  }
  tokens.push({ kind: 'end', text: '', upper: '', line: cursor.line, start: text.length, end: text.length });
  return { tokens, quotedIdentifier: cursor.quotedIdentifier };
}

/** Whether the last token ends `SET QUOTED_IDENTIFIER ON`, alone or in a list of options. */
function setsQuoting(tokens: readonly Token[]): boolean {
  let found = false;
  for (let at = tokens.length - 2; at > 0; at -= 2) {
    found ||= tokens[at]?.upper === 'QUOTED_IDENTIFIER' || tokens[at]?.upper === 'ANSI_DEFAULTS';
    const before = tokens[at - 1]?.upper;
    if (before !== ',') return found && before === 'SET';
  }
  return false;
}

function skipBlank(cursor: Cursor): void {
  const { text } = cursor;
  for (;;) {
    const c = text[cursor.at];
    if (c === undefined) return;
    if (c === '\n') cursor.line++;
    if (/[\s\uFEFF]/.test(c)) cursor.at++;
    else if (text.startsWith('--', cursor.at)) {
      const end = text.indexOf('\n', cursor.at);
      cursor.at = end < 0 ? text.length : end;
    } else if (text.startsWith('/*', cursor.at)) skipBlockComment(cursor);
    else return;
  }
}

/** Block comments nest in T-SQL. */
function skipBlockComment(cursor: Cursor): void {
  const line = cursor.line;
  let depth = 0;
  do {
    if (cursor.at >= cursor.text.length) throw unclosedComment(line);
    if (cursor.text.startsWith('/*', cursor.at)) [depth, cursor.at] = [depth + 1, cursor.at + 2];
    else if (cursor.text.startsWith('*/', cursor.at)) [depth, cursor.at] = [depth - 1, cursor.at + 2];
    else if (cursor.text[cursor.at++] === '\n') cursor.line++;
  } while (depth > 0);
}

function lexToken(cursor: Cursor): Token {
  const { text, at: start, line } = cursor;
  const c = text[start] as string;
  const make = (kind: TokenKind, content: string): Token => ({
    kind,
    text: content,
    upper: kind === 'word' || kind === 'symbol' ? content.toUpperCase() : '',
    line,
    start,
    end: cursor.at,
  });
  if (c === "'") return make('string', readQuoted(cursor, "'"));
  if ((c === 'N' || c === 'n') && text[start + 1] === "'") {
    cursor.at++;
    return make('nstring', readQuoted(cursor, "'"));
  }
  if (c === '[') return make('quoted', readQuoted(cursor, ']'));
  if (c === '"') return make(cursor.quotedIdentifier ? 'quoted' : 'string', readQuoted(cursor, '"'));
  if (c === '0' && /[xX]/.test(text[start + 1] ?? ''))
    return make('binary', readWhile(cursor, /^0[xX][0-9a-fA-F]*/).slice(2));
  if (/[0-9]/.test(c) || (c === '.' && /[0-9]/.test(text[start + 1] ?? '')))
    return make('number', readWhile(cursor, /^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d*)?/));
  if (c === '@') return make('variable', readWord(cursor));
  if (wordStart.test(codePointAt(text, start))) return make('word', readWord(cursor));
  return lexSymbol(cursor, make);
}

function lexSymbol(cursor: Cursor, make: (kind: TokenKind, content: string) => Token): Token {
  const two = cursor.text.slice(cursor.at, cursor.at + 2);
  if (twoSymbols.has(two)) {
    cursor.at += 2;
    return make('symbol', two);
  }
  const one = codePointAt(cursor.text, cursor.at);
  if (one === '$' && /[0-9]/.test(cursor.text[cursor.at + 1] ?? ''))
    throw notModelled('a money literal', cursor.line);
  // $action, $partition, $rowguid
  if (one === '$' && /[a-z]/i.test(cursor.text[cursor.at + 1] ?? '')) return make('word', readWord(cursor));
  if (!'()+-*/%=<>,.;&|^~!:{}'.includes(one)) throw syntaxError(one, cursor.line, false);
  cursor.at++;
  return make('symbol', one);
}

function codePointAt(text: string, at: number): string {
  return String.fromCodePoint(text.codePointAt(at) ?? 32);
}

function readWord(cursor: Cursor): string {
  const start = cursor.at;
  cursor.at += codePointAt(cursor.text, start).length;
  while (cursor.at < cursor.text.length) {
    const c = codePointAt(cursor.text, cursor.at);
    if (!wordPart.test(c)) break;
    cursor.at += c.length;
  }
  return cursor.text.slice(start, cursor.at);
}

function readWhile(cursor: Cursor, pattern: RegExp): string {
  const found = pattern.exec(cursor.text.slice(cursor.at, cursor.at + 20000))?.[0] ?? '';
  cursor.at += found.length;
  return found;
}

/** Reads from the opening quote; a doubled closing quote stands for itself. */
function readQuoted(cursor: Cursor, close: string): string {
  const { text } = cursor;
  const line = cursor.line;
  let content = '';
  for (let at = cursor.at + 1; ; at++) {
    const c = text[at];
    if (c === undefined) throw unclosedString(content, line);
    if (c === '\n') cursor.line++;
    if (c === close) {
      if (text[at + 1] !== close) {
        cursor.at = at + 1;
        return content;
      }
      at++;
    }
    content += c;
  }
}
