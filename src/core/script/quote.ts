/** A T-SQL string literal, `N'...'`, that holds exactly this text. */
export function quoteString(text: string): string {
  return `N'${quoteInString(text)}'`;
}

/**
 * The same for a script that people run. The tools they run it with look into literals: a line that reads GO ends a batch, and sqlcmd puts a variable in place of
 * `$(name)`. So line ends stand outside the literal, and no `$(` in it.
 */
export function quoteStringInScript(text: string): string {
  return quoteString(text)
    .replace(/[\r\n]/g, (end) => `' + NCHAR(${end.charCodeAt(0)}) + N'`)
    .replace(/\$\(/g, () => "$' + N'(");
}

/** Text for the inside of a literal that the template has already opened. */
export function quoteInString(text: string): string {
  return text.replace(/'/g, "''");
}

/**
 * Text made safe for the inside of a block comment: T-SQL comments nest, so both marks must go; line ends would break the layout; sqlcmd replaces `$(` here too.
 * The text stays readable; it is for people, nothing reads it back.
 */
export function quoteInComment(text: string): string {
  return text
    .replace(/\*\//g, '* /')
    .replace(/\/\*/g, '/ *')
    .replace(/\$\(/g, '$ (')
    .replace(/[\p{Cc}\u2028\u2029]/gu, ' ');
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
