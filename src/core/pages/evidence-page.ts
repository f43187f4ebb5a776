/**
 * One page of evidence, for any screen: sentences and tables of text. The dashboard draws it, and Markdown is written
 * from it, so a figure is the same on screen and in a change record.
 */
import { formatDateTime, NOT_OBSERVABLE } from '../format';
import { t } from '../language';
import type { EvidenceChart } from './evidence-chart';

export interface EvidencePage {
  /** What the page says, as one sentence above the others; absent: the summary says it. */
  readonly title?: string;
  /** One or two sentences: what matters. Plain text. */
  readonly summary: string;
  /** Stands after the summary. */
  readonly link?: PageLink;
  /** A table without rows is left out, unless it is folded: its answer then says why. */
  readonly tables: readonly EvidenceTable[];
  /** Short texts below the tables, beside each other where there is room. */
  readonly parts?: readonly PagePart[];
  /**
   * If the page could not be made at all, in place of its tables: what is missing, what it would take, and what works
   * without it.
   */
  readonly missing?: { readonly title: string; readonly text: string };
  /** What could not be observed, and what a reader has to know to believe the figures; one sentence each. */
  readonly notes: readonly string[];
}

export interface PagePart {
  readonly heading: string;
  readonly text: string;
}

/** A command about these databases, run by a click. Texts such as Markdown leave it out. */
export interface PageLink {
  readonly text: string;
  readonly does: 'reviewScript' | 'setChangeMoment';
  readonly databaseIds: readonly number[];
}

export interface EvidenceTable {
  /** Stable, for tests and for keeping what is open. */
  readonly id: string;
  readonly heading: string;
  readonly columns: readonly EvidenceColumn[];
  readonly rows: readonly EvidenceRow[];
  /** Sentences below its rows; the first is the one to bear in mind. */
  readonly below?: readonly string[];
  /** Beside its heading, where only that is shown at first: what its rows say, as one sentence. */
  readonly fold?: string;
  /** How its figures are drawn; absent: they are not drawn. */
  readonly chart?: EvidenceChart;
}

export interface EvidenceColumn {
  /**
   * Stable within its table and the same in every language: for files that programs read, and for a sort that is kept.
   * Lowercase words and `_`.
   */
  readonly name: string;
  readonly heading: string;
  /** What the figures are, with their unit; shown on demand. */
  readonly title: string;
  readonly isNumeric: boolean;
  /** Of its figures, for files that programs read; null: each row names its own; absent: it has no figures. */
  readonly unit?: FigureUnit | null;
  /** If a cell has several figures: before and after a change, the ends of a range, or a value with its interval. */
  readonly parts?: 'pair' | 'range' | 'estimate';
}

type RateUnit =
  | 'MB a second'
  | 'seconds an hour'
  | 'a second'
  | 'a minute'
  | 'an hour'
  | 'a day'
  | 'pages for each MB of log';
type FigureUnit = 'UTC' | 'ms' | 'share, 0 to 1' | 'count' | 'ratio' | 'bytes' | 'KB' | 'GB' | RateUnit;

export interface EvidenceRow {
  /** A cell for each column. */
  readonly cells: readonly EvidenceCell[];
  /** The database that the row is about; null: the instance, or none. */
  readonly databaseId: number | null;
  /** Of the figures in columns that leave it to the row. */
  readonly unit?: FigureUnit;
}

export interface EvidenceCell {
  readonly text: string;
  /**
   * Exact value in base units, for sorting and for tests; null if the cell is words, or the figure could not be
   * observed.
   */
  readonly value: number | null;
  /** Of a figure before and after a change, the one before, by the same rules; the text shows both. */
  readonly before?: number | null;
  /** `moment`: the value is UTC milliseconds, and the text the server's own clock; a screen may use another. */
  readonly kind?: 'moment';
  /** For a moment: the time of the text, as if it were UTC. The offset then may differ from the present one. */
  readonly localMs?: number;
  /** Drawn instead of the text, which says the same. */
  readonly bar?: CellBar;
  /** A sign before the text. The row says the same in words. From `first` on: of a series, as in the picture. */
  readonly sign?: 'good' | 'near' | 'up' | 'unknown' | SeriesSign;
  readonly link?: PageLink;
  /** The figure lies between these values; `high` null: no upper bound is known. */
  readonly interval?: { readonly low: number; readonly high: number | null };
}

type SeriesSign = 'first' | 'second' | 'third' | 'fourth' | 'other';

/** How far a value is on the way to its limit, and how far it was before: 0 to 1. */
export interface CellBar {
  readonly share: number;
  readonly before: number | null;
  readonly state: 'clear' | 'near' | 'up';
}

function columnIn(unit: FigureUnit | null) {
  return (name: string, heading: string, title: string, parts?: EvidenceColumn['parts']): EvidenceColumn => {
    return { name, heading, title, isNumeric: true, unit, ...(parts && { parts }) };
  };
}

/** A column of words, or of figures in a unit; what is given is as in `EvidenceColumn`. */
export const column = {
  word: (name: string, heading: string, title: string): EvidenceColumn => ({
    name,
    heading,
    title,
    isNumeric: false,
  }),
  moment: columnIn('UTC'),
  ms: columnIn('ms'),
  share: columnIn('share, 0 to 1'),
  count: columnIn('count'),
  ratio: columnIn('ratio'),
  bytes: columnIn('bytes'),
  gigabytes: columnIn('GB'),
  megabytesPerSecond: columnIn('MB a second'),
  ofRow: columnIn(null),
  perSecond: columnIn('a second'),
  perHour: columnIn('an hour'),
  secondsPerHour: columnIn('seconds an hour'),
};

export const DATABASE_COLUMN = column.word('database', t('Database'), t('Name of the database'));

export interface NamedDatabase {
  readonly databaseId: number;
  readonly name: string;
}

export function writeRow(
  { databaseId, name }: NamedDatabase,
  ...cells: readonly EvidenceCell[]
): EvidenceRow {
  return { databaseId, cells: [writeCell(name), ...cells] };
}

/** A cell of words. */
export function writeCell(text: string): EvidenceCell {
  return { text, value: null };
}

/** A cell with a figure; `not observable` if it is null. @param format writes it with its unit */
export function writeFigure(value: number | null, format: (value: number) => string): EvidenceCell {
  return { text: value === null ? NOT_OBSERVABLE : format(value), value };
}

/** A moment. @param localMs the time to write, as if it were UTC */
export const writeMoment = (utcMs: number, localMs: number): EvidenceCell => ({
  text: formatDateTime(localMs, 0),
  value: utcMs,
  kind: 'moment',
  localMs,
});

/** All pages of one server. */
export interface EvidencePages {
  readonly beforeAfter: EvidencePage;
  readonly writeWork: EvidencePage;
  readonly errorLog: EvidencePage;
}

/** Whether something is being read or computed for the pages of evidence now. */
export interface EvidenceState {
  /** What takes long, in a few words; null: nothing does. */
  readonly reading: { readonly text: string } | null;
  /** One sentence if the reader cancelled it, saying when it goes on; null otherwise. */
  readonly stopped: string | null;
}

export const NOTHING_READING: EvidenceState = { reading: null, stopped: null };
