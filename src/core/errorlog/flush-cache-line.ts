/**
 * The lines of a FlushCache message, and what trace flags print around it; each by itself, or several joined in one
 * (docs/facts.md, SQL Server 5).
 */
import type { Logged, OneOf, ValuesOf } from './error-log-row';

/** The lines of a FlushCache message, by kind. */
export interface FlushCacheLines {
  readonly cleaned: {
    /** Pages written; the message says bufs. */
    readonly pages: number;
    readonly writes: number;
    readonly durationMs: number;
    readonly avoidedPages: number | null;
    readonly databaseId: number | null;
  };
  /** Missing in SQL Server 2012, whose messages have three lines. */
  readonly writes: { readonly writesPerSecond: number };
  readonly throughput: {
    readonly megabytesPerSecond: number;
    readonly ioSaturation: number;
    /** null in 2008. */
    readonly contextSwitches: number | null;
  };
  readonly outstanding: {
    readonly lastTargetOutstanding: number;
    /** null in 2008. */
    readonly averageWriteLatencyMs: number | null;
  };
}

/**
 * An indirect checkpoint that had to catch up. There are other wordings: what could not be read is null, the text is
 * always there.
 */
export interface DirtyPageFlush extends Logged {
  readonly text: string;
  readonly pages: number | null;
  readonly durationMs: number | null;
  readonly databaseId: number | null;
}

/** A print of trace flag 3502 about one checkpoint. The texts before and after the log records name no database. */
export interface CheckpointPrint extends Logged {
  readonly step: 'truncating' | 'started' | 'log begin' | 'phase 1 ended' | 'log end' | 'complete';
  readonly databaseId: number | null;
}

/** A message of one line, without when it was logged. */
export type PrintMessage = OneOf<{
  readonly prints: ValuesOf<CheckpointPrint>;
  readonly dirtyPageFlushes: ValuesOf<DirtyPageFlush>;
}>;
export type FlushCacheLine = OneOf<FlushCacheLines>;
type CheckpointLine = FlushCacheLine | PrintMessage;

const LINE_STARTS =
  /(?=(?<!ForceCatchupOr)FlushCache:?\s+cleaned\s+up\s|average\s+writes\s+per\s+second|average\s+throughput|last\s+target\s+outstanding|Ckpt\s+dbid\s+\d|About\s+to\s+log\s+checkpoint|DirtyPageMgr::|Checkpointing\s+and\s+truncating\s+dbid)/i;
const FIRST_WORDS = /^\s*(?:FlushCache|average|last\s|Ckpt\s|About\s|DirtyPageMgr|Checkpointing\s)/i;

/** Named groups are the values of a line; a digit behind a name tells apart two places of one value. */
const PATTERNS: Readonly<Record<CheckpointLine['kind'], RegExp>> = {
  // If a colon was lost, or the line was cut, "db 190" may be 190 or 19:0.
  cleaned:
    /^FlushCache:?\s+cleaned\s+up\s+(?<pages>\d{1,15})\s+bufs,?\s+with\s+(?<writes>\d{1,15})\s+writes,?\s+in\s+(?<durationMs>\d{1,15})\s*ms,?(?:\s*\(avoided\s+(?<avoidedPages>\d{1,15})\s+new\s+dirty\s+bufs\),?)?(?:\s*for\s+db\s+(?:(?<databaseId>\d{1,15})[:\s]\s*)?\d{1,15}|\s*(?<databaseId2>\d{1,15}):\d{1,15})?$/i,
  writes:
    /^average\s+writes\s+per\s+second:?\s*(?<writesPerSecond>\d{1,15}(?:[.,]\d{1,15})?)\s*writes\/sec,?$/i,
  throughput:
    /^average\s+throughput:?\s*(?<megabytesPerSecond>\d{1,15}(?:[.,]\d{1,15})?)\s*MB\/sec,?\s*I\/O\s+saturation:?\s*(?<ioSaturation>\d{1,15})(?:,?\s*context\s+switches:?\s*(?<contextSwitches>\d{1,15}))?,?$/i,
  outstanding:
    /^last\s+target\s+outstanding:?\s*(?<lastTargetOutstanding>-?\d{1,15})(?:,?\s*avgWriteLatency:?\s*(?<averageWriteLatencyMs>\d{1,15})\s*(?:ms)?)?,?$/i,
  prints:
    /^(?:Ckpt\s+dbid\s+(?<databaseId>\d{1,15})\s+(?<step>started|phase\s+1\s+ended|complete)(?:\s*\(\d{1,15}\))?|About\s+to\s+(?<step2>log\s+checkpoint\s+(?:begin|end))|Checkpointing\s+and\s+(?<step3>truncating)\s+dbid\s+(?<databaseId2>\d{1,15})(?:\s*\([^)]*\))?)\.?$/i,
  dirtyPageFlushes:
    /^(?<text>DirtyPageMgr::ForceCatchupOrFlushCache(?:.*?cleaned\s+up\s+(?<pages>\d{1,15})\s+dirty\s+pages\s+in\s+(?<durationMs>\d{1,15})\s*ms\s+for\s+db\s+(?<databaseId>\d{1,15}))?.*)/is,
};
const READERS = Object.entries(PATTERNS).map(([kind, pattern]) => ({
  kind,
  pattern,
  names: [...pattern.source.matchAll(/\(\?<([a-z]+)\d?>/gi)].map(([, name = '']) => name),
}));

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

function readLine(line: string): CheckpointLine | null {
  for (const { kind, pattern, names } of READERS) {
    const match = pattern.exec(line);
    if (!match) continue;
    const values: Record<string, string | number | null> = {};
    names.forEach((name, at) => (values[name] ??= readValue(name, match[at + 1])));
    return { kind, values } as CheckpointLine;
  }
  return null;
}

/** `About to log Checkpoint begin` is the step `log begin`. */
function readValue(name: string, text: string | undefined): string | number | null {
  if (text === undefined || name === 'text') return text ?? null;
  if (name === 'step') return text.toLowerCase().replace(/\s+/g, ' ').replace('checkpoint ', '');
  return Number(text.replace(',', '.'));
}
