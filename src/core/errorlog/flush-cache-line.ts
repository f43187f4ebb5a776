/**
 * The lines of a FlushCache message, and what trace flags print around it; each by itself, or several joined in one
 * (docs/facts.md, SQL Server 5).
 */

export interface CleanedLine {
  readonly kind: 'cleaned';
  /** Pages written; the message says bufs. */
  readonly pages: number;
  readonly writes: number;
  readonly durationMs: number;
  readonly avoidedPages: number | null;
  readonly databaseId: number | null;
}

export interface WritesLine {
  readonly kind: 'writes';
  readonly writesPerSecond: number;
}

export interface ThroughputLine {
  readonly kind: 'throughput';
  readonly megabytesPerSecond: number;
  readonly ioSaturation: number;
  /** null in 2008. */
  readonly contextSwitches: number | null;
}

export interface OutstandingLine {
  readonly kind: 'outstanding';
  readonly lastTargetOutstanding: number;
  /** null in 2008. */
  readonly averageWriteLatencyMs: number | null;
}

export type FlushCacheLine = CleanedLine | WritesLine | ThroughputLine | OutstandingLine;

/** A print of trace flag 3502 about one checkpoint. The texts before and after the log records name no database. */
export interface PrintLine {
  readonly kind: 'print';
  readonly step: 'truncating' | 'started' | 'log begin' | 'phase 1 ended' | 'log end' | 'complete';
  readonly databaseId: number | null;
}

/**
 * An indirect checkpoint that had to catch up. There are other wordings: what could not be read is null, the text is
 * always there.
 */
export interface DirtyPageLine {
  readonly kind: 'dirty pages';
  readonly text: string;
  readonly pages: number | null;
  readonly durationMs: number | null;
  readonly databaseId: number | null;
}

type CheckpointLine = FlushCacheLine | PrintLine | DirtyPageLine;

const LINE_STARTS =
  /(?=(?<!ForceCatchupOr)FlushCache:?\s+cleaned\s+up\s|average\s+writes\s+per\s+second|average\s+throughput|last\s+target\s+outstanding|Ckpt\s+dbid\s+\d|About\s+to\s+log\s+checkpoint|DirtyPageMgr::|Checkpointing\s+and\s+truncating\s+dbid)/i;
const FIRST_WORDS = /^\s*(?:FlushCache|average|last\s|Ckpt\s|About\s|DirtyPageMgr|Checkpointing\s)/i;

const CLEANED =
  /^FlushCache(:)?\s+cleaned\s+up\s+(\d{1,15})\s+bufs,?\s+with\s+(\d{1,15})\s+writes,?\s+in\s+(\d{1,15})\s*ms,?(?:\s*\(avoided\s+(\d{1,15})\s+new\s+dirty\s+bufs\),?)?(?:\s*for\s+db\s+(\d{1,15})([:\s]\s*\d{1,15})?|\s*(\d{1,15}):\d{1,15})?$/i;
const WRITES = /^average\s+writes\s+per\s+second:?\s*(\d{1,15}(?:[.,]\d{1,15})?)\s*writes\/sec,?$/i;
const THROUGHPUT =
  /^average\s+throughput:?\s*(\d{1,15}(?:[.,]\d{1,15})?)\s*MB\/sec,?\s*I\/O\s+saturation:?\s*(\d{1,15})(?:,?\s*context\s+switches:?\s*(\d{1,15}))?,?$/i;
const OUTSTANDING =
  /^last\s+target\s+outstanding:?\s*(-?\d{1,15})(?:,?\s*avgWriteLatency:?\s*(\d{1,15})\s*(?:ms)?)?,?$/i;
const PRINT =
  /^(?:Ckpt\s+dbid\s+(\d{1,15})\s+(started|phase\s+1\s+ended|complete)(?:\s*\(\d{1,15}\))?|About\s+to\s+log\s+checkpoint\s+(begin|end)|Checkpointing\s+and\s+(truncating)\s+dbid\s+(\d{1,15})(?:\s*\([^)]*\))?)\.?$/i;
const DIRTY_PAGE_PREFIX = /^DirtyPageMgr::ForceCatchupOrFlushCache/i;
const DIRTY_PAGES =
  /cleaned\s+up\s+(\d{1,15})\s+dirty\s+pages\s+in\s+(\d{1,15})\s*ms\s+for\s+db\s+(\d{1,15})/i;

/**
 * Reads the lines in a text, in its order; null if a checkpoint logs no such text, or if it holds anything else: a text
 * is read whole or not at all.
 */
export function readCheckpointLines(text: string): readonly CheckpointLine[] | null {
  if (!FIRST_WORDS.test(text)) return null;
  const lines = text.split(LINE_STARTS).map((part) => part.trim());
  const read = lines.filter((line) => line !== '').map(readLine);
  return read.length > 0 && read.every((line): line is CheckpointLine => line !== null) ? read : null;
}

/** True also for a line that is damaged or cut. */
export function beginsCheckpointLine(text: string): boolean {
  return FIRST_WORDS.test(text);
}

type Values = readonly (string | undefined)[];

const READERS: readonly (readonly [RegExp, (values: Values, line: string) => CheckpointLine])[] = [
  [CLEANED, createCleaned],
  [WRITES, ([perSecond]) => ({ kind: 'writes', writesPerSecond: readDecimal(perSecond) })],
  [THROUGHPUT, createThroughput],
  [OUTSTANDING, createOutstanding],
  [
    PRINT,
    ([id, step, logged, truncating, truncatedId]) => ({
      kind: 'print',
      step: nameStep(step, logged, truncating),
      databaseId: readWhole(id ?? truncatedId),
    }),
  ],
  [
    DIRTY_PAGE_PREFIX,
    (_, text) => {
      const [, pages, duration, id] = DIRTY_PAGES.exec(text) ?? [];
      const [durationMs, databaseId] = [readWhole(duration), readWhole(id)];
      return { kind: 'dirty pages', text, pages: readWhole(pages), durationMs, databaseId };
    },
  ],
];

function readLine(line: string): CheckpointLine | null {
  for (const [pattern, create] of READERS) {
    const match = pattern.exec(line);
    if (match) return create(match.slice(1), line);
  }
  return null;
}

function createCleaned([colon, pages, writes, durationMs, avoided, named, unit, bare]: Values): CleanedLine {
  // If colons were lost, "db 190" may be 190 or 19:0.
  const isOpen = named !== undefined && unit === undefined && colon === undefined;
  return {
    kind: 'cleaned',
    pages: Number(pages),
    writes: Number(writes),
    durationMs: Number(durationMs),
    avoidedPages: readWhole(avoided),
    databaseId: isOpen ? null : readWhole(named ?? bare),
  };
}

function createThroughput([megabytes, saturation, switches]: Values): ThroughputLine {
  const [megabytesPerSecond, ioSaturation] = [readDecimal(megabytes), Number(saturation)];
  return { kind: 'throughput', megabytesPerSecond, ioSaturation, contextSwitches: readWhole(switches) };
}

function createOutstanding([target, latency]: Values): OutstandingLine {
  const averageWriteLatencyMs = readWhole(latency);
  return { kind: 'outstanding', lastTargetOutstanding: Number(target), averageWriteLatencyMs };
}

function nameStep(step = '', logged = '', truncating?: string): PrintLine['step'] {
  if (truncating !== undefined) return 'truncating';
  if (logged !== '') return /begin/i.test(logged) ? 'log begin' : 'log end';
  if (/^phase/i.test(step)) return 'phase 1 ended';
  return /^started/i.test(step) ? 'started' : 'complete';
}

function readWhole(text: string | undefined): number | null {
  return text === undefined ? null : Number(text);
}

function readDecimal(text: string | undefined): number {
  return Number((text ?? '').replace(',', '.'));
}
