/** One line of a CSV, or of cells copied from a grid. */

interface SeparatedRecord {
  readonly cells: readonly string[];
  /** True if the last cell is quoted and goes on in the next line. */
  readonly isOpen: boolean;
}

/**
 * Splits a line into `most` cells at most. The last one takes the rest, because text without quotes may hold separators. A cell counts as quoted only
 * if its closing quote stands before a separator or at the end.
 */
export function splitRecord(line: string, separator: string, most: number): SeparatedRecord {
  const cells: string[] = [];
  for (let at = 0; at <= line.length;) {
    const begin = skipBlanks(line, at, separator);
    const quoted = line.charAt(begin) === '"' ? readQuoted(line, begin, separator) : null;
    if (quoted?.kind === 'open' && cells.length === most - 1) return { cells: [...cells, quoted.text], isOpen: true };
    if (quoted?.kind === 'closed') {
      cells.push(restoreCommas(quoted.text, separator));
      at = quoted.end + 1;
      if (cells.length === most) break;
      continue;
    }
    const end = cells.length === most - 1 ? -1 : line.indexOf(separator, at);
    const cell = line.slice(at, end < 0 ? dropEmptyCells(line, separator) : end);
    cells.push(restoreCommas(cell, separator));
    at = end < 0 ? line.length + 1 : end + 1;
  }
  return { cells, isOpen: false };
}

/** The Log File Viewer quotes no cells, and writes a comma in one as `<c/>`. */
function restoreCommas(cell: string, separator: string): string {
  return separator === ',' ? cell.replaceAll('<c/>', ',') : cell;
}

/** The end of a record without the empty cells after its text: if logs of several kinds are exported together, the columns of the others stand there. */
function dropEmptyCells(line: string, separator: string): number {
  let end = line.length;
  while (line.charAt(end - 1) === separator) end--;
  return line.length - end > 1 ? end : line.length;
}

/** Reads what a line adds to an open quoted cell. */
export function continueQuoted(line: string): { readonly text: string; readonly isOpen: boolean } {
  const { text, kind } = readQuoted(`"${line}`, 0, null);
  return { text, isOpen: kind === 'open' };
}

interface Quoted {
  readonly text: string;
  /** `bare`: text that only begins with a quote. */
  readonly kind: 'open' | 'closed' | 'bare';
  /** Place of the separator after it, or the length of the line. */
  readonly end: number;
}

function readQuoted(line: string, begin: number, separator: string | null): Quoted {
  let at = line.indexOf('"', begin + 1);
  while (at >= 0 && line.charAt(at + 1) === '"') at = line.indexOf('"', at + 2);
  const text = line.slice(begin + 1, at < 0 ? line.length : at).replace(/""/g, '"');
  if (at < 0) return { text, kind: 'open', end: line.length };
  const end = separator === null ? line.length : skipBlanks(line, at + 1, separator);
  return { text, kind: end >= line.length || line.startsWith(separator ?? '', end) ? 'closed' : 'bare', end };
}

function skipBlanks(line: string, from: number, separator: string): number {
  let at = from;
  while (line.charAt(at) === ' ' && separator !== ' ') at++;
  return at;
}
