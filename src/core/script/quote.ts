import { makeVisible } from '../visible';

/** A T-SQL string literal, `N'...'`, that holds exactly this text. */
export function quoteString(text: string): string {
  return `N'${quoteInString(text)}'`;
}

/**
 * The same for a script that people run, all in printable ASCII. Their tools look into literals: a line GO ends a
 * batch; sqlcmd and SQL Server Agent put a value in place of `$(name)`, SSMS in place of `<a, b, c>`; and a tool that
 * takes the file for another encoding reads another name. So the literal holds no `$(`. A `<` and anything but
 * printable ASCII stand outside of it, as UTF-16 bytes: those depend on no encoding and no collation.
 */
export function quoteStringInScript(text: string): string {
  return listLiterals(text).join(' + ');
}

/** The literals of such a string, each of at most about 110 characters. */
export function listLiterals(text: string): readonly string[] {
  const runs = text.match(/[ -;=-~]+|[^ -;=-~]+/g) ?? [''];
  return runs.flatMap((run) =>
    /^[ -~]*$/.test(run) && !run.startsWith('<') ? cutPlain(run).map(quoteString) : cutBytes(run),
  );
}

const MOST_LITERAL = 100;
/** UTF-16 code units: four digits each. */
const MOST_UNITS = 20;

function cutPlain(text: string): readonly string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const character of text) {
    const isFull = quoteInString(piece + character).length > MOST_LITERAL;
    if (isFull || (character === '(' && piece.endsWith('$'))) {
      pieces.push(piece);
      piece = '';
    }
    piece += character;
  }
  return [...pieces, piece];
}

function cutBytes(text: string): readonly string[] {
  const pieces = Array.from({ length: Math.ceil(text.length / MOST_UNITS) }, (_, at) =>
    text.slice(at * MOST_UNITS, (at + 1) * MOST_UNITS),
  );
  return pieces.map(writeBytes);
}

function writeBytes(text: string): string {
  return `CONVERT(nvarchar(${text.length}), 0x${writeUtf16(text)})`;
}

/**
 * Text for an `N'...'` that the template of such a script has already opened; it may close the literal and open it
 * again.
 */
export function quoteInStringInScript(text: string): string {
  return quoteInString(text)
    .replace(/\$\(/g, () => "$' + N'(")
    .replace(/[^ -;=-~]+/g, (run) => `' + ${writeBytes(run)} + N'`);
}

/** Each code unit as two bytes in hexadecimal digits, the lower one first, as nvarchar is stored. */
function writeUtf16(text: string): string {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    .map((unit) =>
      [unit & 0xff, unit >> 8].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(''),
    )
    .join('');
}

/** Text for a literal that the template has already opened. */
export function quoteInString(text: string): string {
  return text.replace(/'/g, "''");
}

/**
 * Makes a text safe inside a block comment. T-SQL comments nest, so both marks must go; sqlcmd replaces `$(` here too,
 * and SSMS `<a, b, c>`, whose parts may come from several texts, so no `<` stays. Invisible characters and line ends
 * are written out, as `{U+202E}`. The text is for people: nothing reads it back.
 */
export function quoteInComment(text: string): string {
  return makeVisible(text)
    .replace(/\*\//g, '* /')
    .replace(/\/\*/g, '/ *')
    .replace(/\$\(/g, '$ (')
    .replace(/<(U\+[0-9A-F]+)>/g, '{$1}')
    .replace(/</g, nameCharacter);
}

/** A name for a comment, in printable ASCII: `S{U+00FC}d`. */
export function writeReadable(name: string): string {
  return quoteInComment(name.replace(/[^ -;=-~]/gu, nameCharacter));
}

function nameCharacter(character: string): string {
  return `{U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}}`;
}

/** A name as QUOTENAME writes it. */
export function quoteName(name: string): string {
  return `[${name.replace(/]/g, ']]')}]`;
}

/** An integer as T-SQL source. @throws Error for anything but a safe integer: a mistake of ours */
export function writeInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`);
  return String(value);
}

/**
 * A decimal integer that came from the server as text (a bigint offset), unchanged.
 * @throws Error if it is anything else.
 */
export function writeBigInteger(text: string): string {
  if (!/^-?\d{1,19}$/.test(text)) throw new Error(`${JSON.stringify(text)} is not a bigint`);
  return text;
}
