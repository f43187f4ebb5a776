import { quoteString, writeBigInteger } from './quote';
import type { OwnSessionText, Parameter, ParameterRead, ReadText } from './text';

/**
 * Begins every text that we run: otherwise the settings of the user's session apply to a host's query (docs/facts.md,
 * Hosts 3). LOCK_TIMEOUT keeps us from waiting for a schema change. With DEADLOCK_PRIORITY we are the one that gives
 * way.
 */
const prologue = [
  'SET NOCOUNT ON;',
  'SET ROWCOUNT 0;',
  'SET TEXTSIZE 2147483647;',
  'SET IMPLICIT_TRANSACTIONS OFF;',
  'SET TRANSACTION ISOLATION LEVEL READ COMMITTED;',
  'SET LOCK_TIMEOUT 5000;',
  'SET DEADLOCK_PRIORITY LOW;',
].join('\n');

/**
 * A text as it is sent: the name of its file, for a DBA who finds it on the server, the settings, and the text without
 * its comments.
 * @param body the wrapped text, to be sent instead
 */
export function addPrologue<T extends ReadText | OwnSessionText>(
  text: T,
  body: T = leaveOutComments(text),
): T {
  const name = nameText(text);
  return `${name === null ? '' : `/* Checkpoint Health: ${name} */\n`}${prologue}\n${body}` as T;
}

/** Joins reads into one text; each answers with its own result set. */
export function joinReads(reads: readonly ReadText[]): ReadText {
  return reads.join('\n') as ReadText;
}

/** The read with its values declared in the text, for hosts that take only text. */
export function declareParameters({ text, parameters }: ParameterRead): ReadText {
  if (parameters.length === 0) return text;
  const write = ({ type, value }: Parameter): string =>
    value === null ? 'NULL' : type === 'bigint' ? writeBigInteger(value) : quoteString(value);
  const declared = parameters.map((one) => `@${one.name} ${one.type} = ${write(one)}`);
  return `DECLARE ${declared.join(', ')};\n${text}` as ReadText;
}

/** The names of the files of sql/ that a text was made of, `event-session, checkpoint-events`; null: of none. */
export function nameText(text: ReadText | OwnSessionText): string | null {
  const names = [...text.matchAll(/^\/\*\s+Name:\s+([\w-]+)$/gm)].map(([, name]) => name);
  return names.length === 0 ? null : names.join(', ');
}

/** SELECTs of a text that answer, or fill what is answered; the others are indented. One without FROM gives a row. */
const ANSWERS = /(?:^|N')SELECT(?: TOP \((\d+)\)|\s+(part) = )?/gm;

/** How many rows a text asks for at most, in all its result sets. Infinity: it does not say. */
export function countMostRows(text: string): number {
  return (
    [...text.matchAll(ANSWERS)].reduce(
      (sum, [, top, part]) => sum + (part === undefined ? Number(top ?? Infinity) : 1),
      0,
    ) || Infinity
  );
}

/** Beginnings of comments, and quoted texts, in which the same characters begin none. */
const TOKENS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\[(?:[^\]]|\]\])*\]?|--[^\n]*|\/\*/g;

/** The text without comments, which would cross the wire with each query. A line that holds only a comment goes too. */
export function leaveOutComments<T extends string>(text: T): T {
  let [sent, from] = ['', 0];
  TOKENS.lastIndex = 0;
  for (let found = TOKENS.exec(text); found !== null; found = TOKENS.exec(text)) {
    const [token, begin] = [found[0], found.index];
    if (!/^(--|\/\*)/.test(token)) continue;
    const end = token === '/*' ? findCommentEnd(text, begin) : begin + token.length;
    const before = text.slice(from, begin);
    const rest = /^[ \t]*(?:\n|$)/.exec(text.slice(end));
    const isAlone = rest !== null && /(?:^|\n)[ \t]*$/.test(before);
    sent += isAlone ? before.slice(0, before.lastIndexOf('\n') + 1) : `${before} `;
    from = isAlone ? end + rest[0].length : end;
    TOKENS.lastIndex = end;
  }
  return (sent + text.slice(from)) as T;
}

/** Finds the end of the comment that begins there; comments nest. */
function findCommentEnd(text: string, begin: number): number {
  let depth = 0;
  const edges = /\/\*|\*\//g;
  edges.lastIndex = begin;
  for (let edge = edges.exec(text); edge !== null; edge = edges.exec(text)) {
    depth += edge[0] === '/*' ? 1 : -1;
    if (depth === 0) return edges.lastIndex;
  }
  return text.length;
}
