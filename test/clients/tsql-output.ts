import type { Cell, ResultSet, ServerMessage } from './client';

/** What tsql is told to write behind each value and each row: unlikely in any data. */
export const cellEnd = '<|>';
export const rowEnd = '<||>\n';

const prompts = /^(?:\d+> )+|(?:\d+> )+$/g;
const greeting = /^(?:locale|using default charset).*\n/gm;
const footer = /^\(\d+ rows? affected\)\n/m;

/**
 * What tsql printed for one batch. It ends a set with a footer only where it had rows, so a set without rows is read as part of the next one:
 *
 *   c<||> d<||> 1<||> (1 row affected)   ->   {columns: [c], rows: [[d], [1]]}
 */
export function readSets(text: string): readonly ResultSet[] {
  return text
    .replace(greeting, '')
    .replace(/^\(1 row affected\)\n/, '')
    .replace(prompts, '')
    .split(footer)
    .filter((block) => block !== '')
    .map((block) => {
      const [columns = [], ...rows] = block
        .split(rowEnd)
        .slice(0, -1)
        .map((line) => line.split(cellEnd));
      return { columns, rows: rows.map((row) => row.map(readCell)) };
    });
}

/** tsql writes NULL for a NULL, so the text NULL cannot be told from it. */
function readCell(text: string): Cell {
  return text === 'NULL' ? null : text;
}

const header = /^\r?Msg (\d+) \(severity (\d+), state (\d+)\) from \S+(?: Procedure \S+)? Line (\d+):\n\t"/m;

/** Messages have a header; what PRINT says stands alone, its lines with those of the next PRINT. */
export function readMessages(text: string): readonly ServerMessage[] {
  const match = header.exec(text);
  if (!match) return readPrinted(text);
  const [whole, number, severity, state, line] = match;
  const rest = text.slice(match.index + whole.length);
  const end = rest.indexOf('"\n');
  const message = {
    number: Number(number),
    severity: Number(severity),
    state: Number(state),
    line: Number(line),
    text: rest.slice(0, end),
  };
  return [...readPrinted(text.slice(0, match.index)), message, ...readMessages(rest.slice(end + 2))];
}

function readPrinted(text: string): readonly ServerMessage[] {
  if (text === '') return [];
  return [{ number: 0, severity: 0, state: 1, line: null, text: text.replace(/\n$/, '') }];
}
