/** Columns of text, by their names: catalog views do not agree on one collation. A COLLATE behind it settles one. */
const textColumn = /\b[a-z]\w*\.\[?(?:\w*name|\w*_desc)\b\]?(?!\s*(?:COLLATE\b|\())/gi;
const ends = /[,;<>=]|\b(?:SELECT|FROM|WHERE|AND|OR|ON|SET|IF|BEGIN|DECLARE|INSERT|UPDATE|VALUES|ORDER|GROUP|HAVING|JOIN|EXECUTE|PRINT)\b/i;

/** A text with what stood in brackets of it put aside. */
interface Level {
  readonly text: string;
  readonly inner: readonly Level[];
}

/**
 * Concatenations of different columns of text without a COLLATE. Where their collations differ that is Msg 451, an error of the whole batch that no TRY catches.
 * @param code T-SQL without comments, its strings emptied
 */
export function listConcatenatedColumns(code: string): readonly string[] {
  return listOf(readLevel(code, { at: 0 }));
}

function readLevel(code: string, from: { at: number }): Level {
  let text = '';
  const inner: Level[] = [];
  while (from.at < code.length) {
    const character = code[from.at++] as string;
    if (character === ')') break;
    if (character !== '(') text += character;
    else {
      text += `(${inner.length})`;
      inner.push(readLevel(code, from));
    }
  }
  return { text, inner };
}

function listOf({ text, inner }: Level): readonly string[] {
  const found = text
    .split(ends)
    .filter((piece) => piece.includes('+'))
    .map((piece) => flatten({ text: piece, inner }).trim().replace(/\s+/g, ' '))
    .filter((piece) => new Set(piece.match(textColumn)).size > 1);
  return [...found, ...inner.flatMap(listOf)];
}

function flatten({ text, inner }: Level): string {
  return text.replace(/\((\d+)\)/g, (_, at: string) => `(${flatten(inner[Number(at)] as Level)})`);
}
