/** The lines that a FlushCache message consists of, each on its own or several joined in one (docs/facts.md, SQL Server 5). */

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
  readonly contextSwitches: number;
}

export interface OutstandingLine {
  readonly kind: 'outstanding';
  readonly lastTargetOutstanding: number;
  readonly averageWriteLatencyMs: number;
}

export type FlushCacheLine = CleanedLine | WritesLine | ThroughputLine | OutstandingLine;

const LINE_STARTS = /(?=FlushCache:?\s+cleaned\s+up\s|average\s+writes\s+per\s+second|average\s+throughput|last\s+target\s+outstanding)/i;

const CLEANED =
  /^FlushCache(:)?\s+cleaned\s+up\s+(\d+)\s+bufs,?\s+with\s+(\d+)\s+writes,?\s+in\s+(\d+)\s*ms,?(?:\s*\(avoided\s+(\d+)\s+new\s+dirty\s+bufs\),?)?(?:\s*for\s+db\s+(\d+)([:\s]\s*\d+)?|\s*(\d+):\d+)?$/i;
const WRITES = /^average\s+writes\s+per\s+second:?\s*(\d+(?:\.\d+)?)\s*writes\/sec,?$/i;
const THROUGHPUT =
  /^average\s+throughput:?\s*(\d+(?:\.\d+)?)\s*MB\/sec,?\s*I\/O\s+saturation:?\s*(\d+),?\s*context\s+switches:?\s*(\d+),?$/i;
const OUTSTANDING = /^last\s+target\s+outstanding:?\s*(-?\d+),?\s*avgWriteLatency:?\s*(\d+),?$/i;

/**
 * The lines in a text, in its order. null where the text is no part of a FlushCache message, or holds anything besides: a text is read
 * whole or not at all.
 */
export function readFlushCacheLines(text: string): readonly FlushCacheLine[] | null {
  const lines = text.split(LINE_STARTS).map((part) => part.trim());
  const read = lines.filter((line) => line !== '').map(readLine);
  return read.length > 0 && read.every((line): line is FlushCacheLine => line !== null) ? read : null;
}

function readLine(line: string): FlushCacheLine | null {
  return readCleaned(line) ?? readWrites(line) ?? readThroughput(line) ?? readOutstanding(line);
}

function readCleaned(line: string): CleanedLine | null {
  const match = CLEANED.exec(line);
  if (!match) return null;
  const [, colon, pages, writes, durationMs, avoided, named, unit, bare] = match;
  // Where colons were lost, "db 190" may be 190 or 19:0.
  const database = named !== undefined && unit === undefined && colon === undefined ? undefined : (named ?? bare);
  return {
    kind: 'cleaned',
    pages: Number(pages),
    writes: Number(writes),
    durationMs: Number(durationMs),
    avoidedPages: avoided === undefined ? null : Number(avoided),
    databaseId: database === undefined ? null : Number(database),
  };
}

function readWrites(line: string): WritesLine | null {
  const match = WRITES.exec(line);
  return match && { kind: 'writes', writesPerSecond: Number(match[1]) };
}

function readThroughput(line: string): ThroughputLine | null {
  const match = THROUGHPUT.exec(line);
  if (!match) return null;
  return { kind: 'throughput', megabytesPerSecond: Number(match[1]), ioSaturation: Number(match[2]), contextSwitches: Number(match[3]) };
}

function readOutstanding(line: string): OutstandingLine | null {
  const match = OUTSTANDING.exec(line);
  return match && { kind: 'outstanding', lastTargetOutstanding: Number(match[1]), averageWriteLatencyMs: Number(match[2]) };
}
