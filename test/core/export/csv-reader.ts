/** A reader of RFC 4180, strict: what it does not allow throws. */
export function readCsv(text: string): readonly (readonly string[])[] {
  const lines: string[][] = [];
  let at = 0;
  const readQuoted = (): string => {
    let cell = '';
    for (at++; ; at++) {
      if (at >= text.length) throw new Error('A quoted cell does not end.');
      if (text[at] !== '"') cell += text[at];
      else if (text[at + 1] === '"') cell += text[at++];
      else break;
    }
    at++;
    return cell;
  };
  const readPlain = (): string => {
    const from = at;
    while (at < text.length && text[at] !== ',' && text[at] !== '\r') {
      if (text[at] === '"' || text[at] === '\n') throw new Error(`${JSON.stringify(text[at])} stands in a cell without quotes.`);
      at++;
    }
    return text.slice(from, at);
  };
  while (at < text.length) {
    const line: string[] = [];
    for (;;) {
      line.push(text[at] === '"' ? readQuoted() : readPlain());
      if (text[at] !== ',') break;
      at++;
    }
    if (text.slice(at, at + 2) !== '\r\n')
      throw new Error(`A line does not end with CR LF, but with ${JSON.stringify(text.slice(at, at + 2))}.`);
    at += 2;
    lines.push(line);
  }
  return lines;
}

/** The text before apostrophes were put into it: the only one of which that cell is made. */
export function readDisarmed(cell: string, disarm: (text: string) => string): string {
  const candidates = [cell, cell.slice(1)].flatMap((text) => [text, text.replace(INNER, '$1')]);
  return candidates.find((text) => disarm(text) === cell) ?? cell;
}

const INNER = /([;|\t\r\n])'(?=[\s\p{Z}\p{Cc}\p{Cf}"'`´‘’“”]*[=+\-@＝＋－＠﹦﹢﹣﹫−])/gu;
