import { makeVisible } from '../visible';

/** A T-SQL string literal, `N'...'`, that holds exactly this text. */
export function quoteString(text: string): string {
  return `N'${quoteInString(text)}'`;
}

/**
 * The same for a script that people run, all in printable ASCII. The tools they run it with look into literals: a line that reads GO ends a batch, sqlcmd puts a
 * variable in place of `$(name)`, and one that takes the file for another encoding reads another name. So no `$(` stands in it, and what is no printable ASCII
 * stands outside, as the bytes of its UTF-16: those depend on no encoding and no collation.
 */
export function quoteStringInScript(text: string): string {
  return `N'${quoteInStringInScript(text)}'`;
}

/** Text for the inside of an `N'...'` that the template of such a script has already opened; it may close the literal and open it again. */
export function quoteInStringInScript(text: string): string {
  return quoteInString(text)
    .replace(/\$\(/g, () => "$' + N'(")
    .replace(/[^ -~]+/g, (run) => `' + CONVERT(nvarchar(${run.length}), 0x${writeUtf16(run)}) + N'`);
}

/** Each code unit as two bytes in hexadecimal digits, the lower one first, as nvarchar is stored. */
function writeUtf16(text: string): string {
  return Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
    .map((unit) => [unit & 0xff, unit >> 8].map((byte) => byte.toString(16).toUpperCase().padStart(2, '0')).join(''))
    .join('');
}

/** Text for the inside of a literal that the template has already opened. */
export function quoteInString(text: string): string {
  return text.replace(/'/g, "''");
}

/**
 * Text made safe for the inside of a block comment: T-SQL comments nest, so both marks must go; sqlcmd replaces `$(` here too; what cannot be seen, line ends
 * among it, is written out. The text stays readable; it is for people, nothing reads it back.
 */
export function quoteInComment(text: string): string {
  return makeVisible(text).replace(/\*\//g, '* /').replace(/\/\*/g, '/ *').replace(/\$\(/g, '$ (');
}

/** What a row of a list has besides the name of its database where that cannot be read as it is: what is printed of it, between brackets as QUOTENAME writes them. */
export function writeShownName(name: string): { readonly column: string; readonly value: string } {
  const shown = makeVisible(name);
  if (shown === name) return { column: '', value: '' };
  return { column: ', shown_name', value: `, ${quoteStringInScript(quoteName(shown))}` };
}

/** A name as QUOTENAME writes it. */
export function quoteName(name: string): string {
  return `[${name.replace(/]/g, ']]')}]`;
}

/** An integer as T-SQL source. @throws Error for anything that is not a safe integer: a mistake of ours. */
export function writeInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new Error(`${value} is not an integer`);
  return String(value);
}

/** A decimal integer that came from the server as text (a bigint offset), unchanged. @throws Error where it is anything else. */
export function writeBigInteger(text: string): string {
  if (!/^-?\d{1,19}$/.test(text)) throw new Error(`${JSON.stringify(text)} is not a bigint`);
  return text;
}
