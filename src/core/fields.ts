/** Values with a name or without, as tools write them: cells of a table, JSON, XML, a label a line. */

export interface Field {
  readonly name: string;
  readonly value: string;
}

export interface Cell {
  readonly text: string;
  /** Its place in the line. */
  readonly begin: number;
  readonly isQuoted: boolean;
}

interface Cells {
  readonly cells: readonly Cell[];
  /** True if the quote of the last cell goes on in the next line. */
  readonly isOpen: boolean;
}

/** A query gives no more columns. */
const MOST_CELLS = 4_096;

/** A cell counts as quoted only if its closing quote stands before a separator or at the end. */
export function splitCells(line: string, separator: string): Cells {
  const cell = new RegExp(
    String.raw` *"([^"]*(?:""[^"]*)*)("|$) *(?=[${separator}]|$)|[^${separator}]*`,
    'y',
  );
  const cells: Cell[] = [];
  for (let begin = 0; begin <= line.length && cells.length < MOST_CELLS; begin = cell.lastIndex + 1) {
    cell.lastIndex = begin;
    const [whole, quoted, close] = cell.exec(line) ?? [''];
    const text = quoted === undefined ? whole.trim() : quoted.replaceAll('""', '"');
    cells.push({ text, begin, isQuoted: quoted !== undefined });
    if (close === '') return { cells, isOpen: true };
    cell.lastIndex = begin + whole.length;
  }
  return { cells, isOpen: false };
}

/** How records are written whose parts have names: with some of them in a line, or one. */
export type FieldForm = 'JSON' | 'XML' | 'list' | 'log viewer';

/** PowerShell has names in attributes: `<S N="event_data">`. */
const PAIRS: Readonly<Record<FieldForm, RegExp>> = {
  JSON: /"((?:[^"\\]|\\.){1,60})"\s*:\s*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s,"{}[\]]+))/g,
  XML: /<(\p{L}[\w.:-]{0,60})(?:\s(?:[^<>]*?\b(?:N|Name)="([\w.]+)")?[^<>]*)?>(?:([^<]*)<\/\1>|([^<]+)$)|(?<![\w:])([\w:]{1,60})=(?:"([^"]*)"|'([^']*)')/gu,
  list: /^([\p{L}@]\w{0,60}) +:/gu,
  'log viewer': /^ {0,4}(\p{L}[\p{L} /-]{0,40}?)(?: ?[:：]|\t|\s{2}|\s(?=\d)|$)/gu,
};
const ENTITIES = new Map(Object.entries({ lt: '<', gt: '>', quot: '"', apos: "'", amp: '&' }));

/** The fields that a line holds. */
export function readFields(line: string, form: FieldForm): readonly Field[] {
  return [...line.matchAll(PAIRS[form])].map(([all, name = '', first, ...rest]) => {
    if (form === 'JSON') return { name, value: first === undefined ? (rest[0] ?? '') : unescapeJson(first) };
    if (form !== 'XML') return { name: name.trim(), value: line.slice(all.length).trimStart() };
    const [within, open, attribute, ...quoted] = rest;
    const value = [within, open, ...quoted].find((each) => each !== undefined) ?? '';
    return { name: attribute ?? first ?? name, value: unescapeXml(value) };
  });
}

function unescapeJson(text: string): string {
  try {
    // A date as older versions of PowerShell write it.
    const value = (JSON.parse(`"${text}"`) as string).replace(/^\/Date\((\d{12,13})\)\/$/, '$1');
    return value.length < text.length && /^\d{12,13}$/.test(value)
      ? new Date(Number(value)).toISOString()
      : value;
  } catch {
    return text;
  }
}

export function unescapeXml(text: string): string {
  return text.replace(
    /&(?:#(\d{1,5})|#x([\da-f]{1,4})|(\w{2,4}));/gi,
    (all, decimal?: string, hex?: string, name = '') =>
      (decimal ?? hex)
        ? String.fromCharCode(decimal ? Number(decimal) : parseInt(hex ?? '', 16))
        : (ENTITIES.get(name) ?? all),
  );
}

const TAGS = /<\/?(?:table|tbody|thead|t[rdh]|br|p|pre|code|span|div)(?:\s[^<>]*)?\/?>/g;

/** A line without the tags of the page that it was copied from. Cells become those of a table. */
export function stripTags(line: string): string {
  const plain = line.includes('&nbsp;') ? line.replaceAll('&nbsp;', ' ') : line;
  if (!line.includes('<') || line.search(TAGS) < 0) return plain;
  return unescapeXml(plain.replace(/<\/t[dh]>\s*<t[dh][^<>]*>/g, '|').replace(TAGS, ' '));
}
