/**
 * One page of evidence as any screen can show it: sentences and tables of text. The dashboard draws it, and the same page can be written as Markdown, so
 * that a figure on screen and in a change record are the same.
 */
import type { ForecastSteps } from '../advice/forecast';
import { formatDateTime } from '../format';
import type { EvidenceChart } from './evidence-chart';

export interface EvidencePage {
  /** What the page says, as one sentence over the others; absent: the summary does. */
  readonly title?: string;
  /** One or two sentences: what matters. Plain text. */
  readonly summary: string;
  /** Behind the summary. */
  readonly link?: PageLink;
  /** Drawn over the tables. */
  readonly forecast?: ForecastSteps;
  readonly tables: readonly EvidenceTable[];
  /** Short texts below the tables, beside each other where there is room. */
  readonly parts?: readonly PagePart[];
  /** Where the page could not be made at all: in place of its tables, what is missing, what it would take, and what works without it. */
  readonly missing?: { readonly title: string; readonly text: string };
  /** What could not be observed, and what a reader has to know to believe the figures; one sentence each. */
  readonly notes: readonly string[];
}

export interface PagePart {
  readonly heading: string;
  readonly text: string;
  /** How many there are, of how many. */
  readonly progress?: { readonly done: number; readonly of: number };
  readonly link?: PageLink;
}

/** What a click does: a command about these databases. It stands for nothing in a text. */
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
  /** Shown in place of rows where there are none. */
  readonly empty: string;
  /** How its figures are drawn; absent: they are not. */
  readonly charts?: readonly EvidenceChart[];
}

export interface EvidenceColumn {
  readonly heading: string;
  /** What the figures are, with their unit; shown on demand. */
  readonly title: string;
  readonly isNumeric: boolean;
}

export interface EvidenceRow {
  /** A cell for each column. */
  readonly cells: readonly EvidenceCell[];
  /** The database that the row is about; null: the instance, or none. */
  readonly databaseId: number | null;
}

export interface EvidenceCell {
  readonly text: string;
  /** Exact value in base units, for sorting and for tests; null if the cell is words, or the figure could not be observed. */
  readonly value: number | null;
  /** `moment`: the value is UTC milliseconds, and the text the server's own clock; a screen may show it by another clock. */
  readonly kind?: 'moment';
  /** Of a moment: what the clock of the text showed, as if it were UTC; the offset then may have been another one than now. */
  readonly localMs?: number;
  /** Of a moment: its value rests on an offset that was in force at another time. */
  readonly isAssumed?: true;
  /** Drawn in place of the text, which says the same. */
  readonly bar?: CellBar;
  /** Before the text: how it stands. The row says it in words too. */
  readonly sign?: 'good' | 'near' | 'up' | 'unknown';
  readonly link?: PageLink;
  /** Between which values the figure lies; `high` null: no upper bound is known. */
  readonly interval?: { readonly low: number; readonly high: number | null };
}

/** How much of the way to a limit is gone, and how much of it was gone before: 0 to 1. */
export interface CellBar {
  readonly share: number;
  readonly before: number | null;
  readonly isNear: boolean;
}

/** A column of words, and one of figures. @param title as of a column */
export function wordColumn(heading: string, title: string): EvidenceColumn {
  return { heading, title, isNumeric: false };
}

export function figureColumn(heading: string, title: string): EvidenceColumn {
  return { heading, title, isNumeric: true };
}

/** A cell of words. */
export function writeCell(text: string): EvidenceCell {
  return { text, value: null };
}

/** A cell with a figure; `not observable` where it is null. @param format to text, with its unit */
export function writeFigure(value: number | null, format: (value: number) => string): EvidenceCell {
  return { text: value === null ? 'not observable' : format(value), value };
}

/** A moment. @param localMs what the clock showed that it is written by, as if it were UTC; @param isAssumed UTC rests on an offset of another time, which is said */
export function writeMoment(utcMs: number, localMs: number, isAssumed = false): EvidenceCell {
  const text = formatDateTime(localMs, 0);
  return { text: isAssumed ? `${text} (UTC assumed)` : text, value: utcMs, kind: 'moment', localMs, ...(isAssumed && { isAssumed }) };
}

/** All pages of one server. */
export interface EvidencePages {
  readonly beforeAfter: EvidencePage;
  readonly writeWork: EvidencePage;
  readonly errorLog: EvidencePage;
}

/** Whether something is being read or computed for the pages of evidence now. */
export interface EvidenceState {
  /** What takes long, as a few words; null: nothing, or it takes no time to speak of. */
  readonly reading: { readonly text: string } | null;
  /** One sentence where the reader cancelled it, with when it goes on; null otherwise. */
  readonly stopped: string | null;
}

export const NOTHING_READING: EvidenceState = { reading: null, stopped: null };
