/** A reader of RFC 4180, strict: what it does not allow throws. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  const nextCell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y;
  let line: string[] = [];
  for (let at = 0; at < text.length || line.length > 0; at = nextCell.lastIndex) {
    const [, quoted, plain = '', end] = nextCell.exec(text) ?? [];
    if (end === undefined)
      throw new Error(`There is no cell of RFC 4180 at ${JSON.stringify(text.slice(at, at + 20))}.`);
    line.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ',') continue;
    lines.push(line);
    line = [];
  }
  return lines;
}

/** The text before apostrophes were put into it: the only one of which that cell is made. */
export function readDisarmed(cell: string, disarm: (text: string) => string): string {
  const candidates = [cell, cell.slice(1)].flatMap((text) => [text, text.replace(INNER, '$1')]);
  return candidates.find((text) => disarm(text) === cell) ?? cell;
}

const INNER = /([;|\t\r\n])'(?=[\s\p{Z}\p{Cc}\p{Cf}"'`´‘’“”]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;
