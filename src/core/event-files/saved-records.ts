/** Finds the records of a file of saved rows: cells of a table, objects of JSON, elements of XML, or bare events. */
import { type Cell, type Field, readFields, splitCells } from '../fields';

/** What a text is made of. `text`: none of the others. */
export type SavedForm = 'table' | 'JSON' | 'XML' | 'text';

interface TextTaker {
  take(text: string): void;
  end(): void;
}

type TakeRecord = (fields: readonly Field[]) => void;

/** This much of a text tells its form. */
const SAMPLE_CHARACTERS = 1 << 18;
/** The lines that tell what separates the columns. */
const SAMPLE_LINES = 100;
/** A longer record is given up. The text of a ring buffer has 4 MB (docs/facts.md, SQL Server 3). */
const LONGEST_RECORD = 8_000_000;
/** Of one that is given up, this much tells what it was. */
const READ_CHARACTERS = 4_096;
const SEPARATORS = ['\t', ';', ',', '|'] as const;
/** What a text without columns begins with, perhaps below the name that FOR JSON and FOR XML give to their column. */
const FIRST_MARK = /^\s*(?:\w+_F52E2B61-\S+\s+(?:-+\s+)?)?([[{<])/;
const LABEL = /^[\p{L}@]\w{0,60} +: /mu;
const BARE = /^[ \t]*<event\s/m;
/** Written by programs before or between rows. */
const LAYOUT = /^(?:#TYPE .*|sep=.|[-+=| \t,;]*)$/;

/**
 * Reads a text that comes in pieces, cut anywhere.
 * @param isEvent whether a record is an event: it tells what separates the columns of a table
 */
export function readSavedRecords(take: TakeRecord, isEvent: (fields: readonly Field[]) => boolean) {
  let sample = '';
  let form: SavedForm = 'text';
  let taker: TextTaker | null = null;
  const begin = (): TextTaker => {
    const [, mark = ''] = FIRST_MARK.exec(sample) ?? [];
    const separator = mark === '' ? findSeparator(sample, isEvent) : null;
    form = separator !== null ? 'table' : mark === '' ? 'text' : mark === '<' ? 'XML' : 'JSON';
    const isList = form === 'text' && LABEL.test(sample) && !BARE.test(sample);
    const made =
      separator !== null || isList
        ? takeLines(isList ? takeList(take) : takeTable(separator ?? '', take))
        : form === 'JSON'
          ? takePieces('}', JSON_TOKENS, JSON_TOKENS, (piece) => take(readObject(piece)))
          : takePieces('>', createXmlTokens('$'), createXmlTokens('(?!)'), (piece) =>
              take(readElement(piece)),
            );
    made.take(sample);
    sample = '';
    return made;
  };
  return {
    take(text: string): void {
      if (taker !== null) return taker.take(text);
      sample += text;
      if (sample.length >= SAMPLE_CHARACTERS) taker = begin();
    },
    end: (): void => (taker ??= begin()).end(),
    /** `text` until enough was read to tell. */
    form: (): SavedForm => form,
  };
}

/** The one under which most lines are events; null if none makes a table of them. */
function findSeparator(sample: string, isEvent: (fields: readonly Field[]) => boolean): string | null {
  const counts = SEPARATORS.map((separator) => {
    let events = 0;
    const table = takeTable(separator, (fields) => void (isEvent(fields) && events++));
    for (const line of sample.split('\n', SAMPLE_LINES)) table.take(line.replace(/\r$/, ''));
    // A ring buffer is one long cell.
    table.end();
    return events;
  });
  const most = Math.max(...counts);
  return most === 0 ? null : (SEPARATORS[counts.indexOf(most)] ?? null);
}

function takeLines(lines: TextTaker): TextTaker {
  let held = '';
  return {
    take(text) {
      const all = text.split('\n');
      all[0] = held + (all[0] ?? '');
      held = all.pop() ?? '';
      for (const line of all) lines.take(line.replace(/\r$/, ''));
      if (held.length <= LONGEST_RECORD) return;
      lines.take(held);
      held = '';
    },
    end() {
      if (held !== '') lines.take(held.replace(/\r$/, ''));
      lines.end();
    },
  };
}

/** A label a line, as Format-List writes it: a blank line ends a record, and others go on with a value. */
function takeList(take: TakeRecord): TextTaker {
  let fields: { readonly name: string; value: string }[] = [];
  const give = (): void => {
    if (fields.length > 0) take(fields);
    fields = [];
  };
  return {
    take(line) {
      const [last, [field]] = [fields[fields.length - 1], readFields(line, 'list')];
      if (field !== undefined) fields.push({ ...field });
      else if (line.trim() === '' || last === undefined) give();
      else last.value += line.trimStart();
    },
    end: give,
  };
}

/** Rows of a table. A cell may go on in the next lines, quoted or not. */
function takeTable(separator: string, take: TakeRecord): TextTaker {
  const bare = new RegExp(String.raw`(?:^|[${separator}]) *"?(?=<(?:event|RingBufferTarget)\s[^">]*"(?!"))`);
  const hasBare = (line: string): boolean => line.includes('<') && bare.test(line);
  let names: readonly string[] = [];
  let open: string | null = null;
  /** The row that is open has an event without quotes around it. */
  let isBare = false;
  const give = (cells: readonly Cell[]): void => {
    open = null;
    const texts = cells.map(({ text }) => text);
    if (isHead(texts)) names = texts;
    else if (!LAYOUT.test(texts.join(''))) take(texts.map((value, at) => ({ name: names[at] ?? '', value })));
  };
  const split = (row: string): ReturnType<typeof splitCells> => {
    const quoted = isBare ? quoteEvent(row, bare) : { line: row, isOpen: false };
    const { cells, isOpen } = splitCells(quoted.line, separator);
    return { cells, isOpen: isOpen || quoted.isOpen };
  };
  const isRow = (line: string): boolean => {
    if (!line.includes('checkpoint_')) return false;
    const { cells, isOpen } = splitCells(line, separator);
    return !isOpen && cells.length === names.length && cells.some(({ text }) => ROW.test(text));
  };
  return {
    take(line) {
      const isNext: boolean = hasBare(line);
      // The event of the row before was cut, or a quote in it has no end.
      if (open !== null && (isBare ? isNext : isRow(line))) give(split(open).cells);
      const isFirst = open === null;
      if (isFirst) isBare = isNext;
      const row: string = (open = open === null ? line : `${open}\n${line}`);
      // Nothing in the line can end it.
      const goesOn =
        !isFirst && (isBare ? !ENDS.some((tag) => line.includes(tag)) : countQuotes(line) % 2 === 0);
      if (row.length > LONGEST_RECORD) return give(split(row.slice(0, READ_CHARACTERS)).cells);
      if (goesOn) return;
      const { cells, isOpen } = split(row);
      if (!isOpen) give(cells);
    },
    end: () => void (open !== null && give(split(open).cells)),
  };
}

const ROW = /^(?:<event |checkpoint_(?:begin|end)$)/;
const ENDS = ['</event>', '</RingBufferTarget>'] as const;
const countQuotes = (line: string): number => line.split('"').length - 1;

/** Management Studio quotes no cell unless it is told to, and an event may hold what separates cells and lines. */
function quoteEvent(line: string, bare: RegExp): { readonly line: string; readonly isOpen: boolean } {
  const found = bare.exec(line);
  if (found === null) return { line, isOpen: false };
  const from = found.index + found[0].length;
  const end = Math.max(...ENDS.map((tag) => (line.includes(tag) ? line.lastIndexOf(tag) + tag.length : 0)));
  const to = end > from ? end : line.length;
  const begin = found[0].endsWith('"') ? from - 1 : from;
  const behind = line.slice(to).replace(/^"/, '');
  return {
    line: `${line.slice(0, begin)}"${line.slice(from, to).replaceAll('"', '""')}"${behind}`,
    isOpen: end <= from,
  };
}

/** A row that names columns: of the function, of a grid, or of a query that takes events apart. */
function isHead(cells: readonly string[]): boolean {
  return (
    cells.some((cell) =>
      /^@?(?:event_?data|target_?data|(?:event_?)?name|database_?id|time_?stamp.*)$/i.test(cell),
    ) && cells.every((cell) => /^[\p{L}\w @.()#[\]-]{0,128}$/u.test(cell))
  );
}

const STRING = String.raw`"[^"\\]*(?:\\[\s\S][^"\\]*)*`;
const FLAT = String.raw`[^{}[\]"]*(?:${STRING}"[^{}[\]"]*)*`;
/** What ends a record in its first group; what may hold such an end is passed over as a whole: texts, values with parts. */
const JSON_TOKENS = new RegExp(
  String.raw`(\})|:\s*\{${FLAT}(?:\{${FLAT}\}${FLAT})*\}|${STRING}(?:"|\\?$)`,
  'g',
);
const PARTS = /<Obj N=[^<]*(?:<(?!\/Obj>|Obj N=)[^<]*)*<\/Obj>/;
const CDATA = String.raw`<!\[CDATA\[[^\]<]*(?:(?:\](?!\]>)|<(?!!\[CDATA\[))[^\]<]*)*`;
/** @param unended what ends a CDATA section that has no end: that of the text, as more may come, or nothing */
const createXmlTokens = (unended: string): RegExp => {
  const event = String.raw`<event\s[^<]*(?:(?:${CDATA}(?:\]\]>|${unended})|<(?!\/event>|event\s))[^<]*)*(?:(<\/event>)|(?=<event\s)|$)`;
  return new RegExp(
    String.raw`${PARTS.source}|(${event}|<\/[^<>]*>|<(?!Property)[^<>=]*=[^<>=]*=[^<>]*(?<=\/)>)|<([\p{L}_][\w.:-]*)(?:\s[^<>]*)?>[^<]*<\/\3>`,
    'gu',
  );
};

/**
 * Cuts a text behind each record. What has no end yet waits for more text.
 * @param mark stands in each end
 * @param lastTokens the same where no more text comes
 */
function takePieces(
  mark: string,
  tokens: RegExp,
  lastTokens: RegExp,
  take: (piece: string) => void,
): TextTaker {
  let held = '';
  const give = (piece: string): void => void (/\w/.test(piece) && take(piece));
  const cut = (isEnd: boolean): void => {
    let from = 0;
    for (const { 0: token, 1: end, 2: eventEnd, index = 0 } of held.matchAll(isEnd ? lastTokens : tokens)) {
      const to = index + token.length;
      const isEvent = token.startsWith('<event');
      if (end === undefined || (isEvent && to === held.length && !isEnd && eventEnd === undefined)) continue;
      if (isEvent) give(held.slice(from, index));
      give(held.slice(isEvent ? index : from, to));
      from = to;
    }
    held = held.slice(from);
    if (!isEnd) return;
    give(held.length > LONGEST_RECORD ? held.slice(0, READ_CHARACTERS) : held);
    held = '';
  };
  return {
    take(text) {
      // Of no meaning here, and SQL Server and its tools break long lines anywhere.
      held += text.replace(/[\r\n]+/g, '');
      if (text.includes(mark)) cut(false);
      if (held.length > LONGEST_RECORD) cut(true);
    },
    end: () => cut(true),
  };
}

/** The fields of an object, or of one that was cut within a text. */
function readObject(piece: string): readonly Field[] {
  const fields = readFields(piece, 'JSON');
  return piece.endsWith('}') ? fields : [...fields, ...readFields(`${piece.replace(/\\.?$/, '')}"`, 'JSON')];
}

/** A bare event, or the fields of an element. */
function readElement(piece: string): readonly Field[] {
  return /^<event\s/.test(piece) ? [{ name: 'event_data', value: piece }] : readFields(piece, 'XML');
}
