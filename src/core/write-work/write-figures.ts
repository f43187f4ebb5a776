/**
 * Figures that are computed from what was written. Those of a database rest on its own files and counters. Who wrote the pages (checkpoints, background
 * writer, lazy writer) and WRITELOG are known only for the whole instance (docs/facts.md, SQL Server 1) and are never given for a database.
 * null: not observed, or nothing to divide by.
 */
import type { TimeWindow } from '../statistics/observed-time';
import type { DatabaseBlock, InstanceBlock } from './block';
import type { InstanceSamples } from './work-samples';

/** Bytes of a page. */
const PAGE_BYTES = 8192;

export interface DatabaseWriteFigures {
  readonly observedMs: number;
  readonly dataWrittenBytes: number;
  readonly logWrittenBytes: number;
  readonly writeTransactions: number | null;
  /** 1: pages are scattered and written one by one. Up to 32, and since SQL Server 2016 up to 128: they are gathered (docs/facts.md, SQL Server 1). */
  readonly pagesPerWrite: number | null;
  /** Average milliseconds of one write. */
  readonly dataLatencyMs: number | null;
  readonly logLatencyMs: number | null;
  /** Bytes of data files written for each byte of log. A before / after compares this. */
  readonly dataBytesPerLogByte: number | null;
}

export interface InstanceWriteFigures {
  readonly observedMs: number;
  readonly checkpointPages: number | null;
  readonly backgroundWriterPages: number | null;
  readonly lazyWrites: number | null;
  /** Pages of checkpoints, background writer and lazy writer together. */
  readonly totalPages: number | null;
  /** Shares of the total, 0 to 1. */
  readonly checkpointShare: number | null;
  readonly backgroundWriterShare: number | null;
  readonly lazyWriterShare: number | null;
  /** Page writes/sec: all pages written, whoever wrote them. */
  readonly pageWrites: number | null;
  /** Average milliseconds that a task waited for WRITELOG. */
  readonly writelogWaitMs: number | null;
  readonly writelogWaits: number | null;
}

/** The figures of one database over all its blocks together. */
export function describeDatabaseWrites(blocks: readonly DatabaseBlock[]): DatabaseWriteFigures {
  const sum = (name: Figure<DatabaseBlock>): number | null => addUp(blocks, name);
  const dataWrittenBytes = sum('dataWrittenBytes') ?? 0;
  const logWrittenBytes = sum('logWrittenBytes') ?? 0;
  const dataWrites = sum('dataWrites');
  return {
    observedMs: sum('observedMs') ?? 0,
    dataWrittenBytes,
    logWrittenBytes,
    writeTransactions: sum('writeTransactions'),
    pagesPerWrite: divide(dataWrittenBytes / PAGE_BYTES, dataWrites),
    dataLatencyMs: divide(sum('dataWriteStallMs'), dataWrites),
    logLatencyMs: divide(sum('logWriteStallMs'), sum('logWrites')),
    dataBytesPerLogByte: divide(dataWrittenBytes, logWrittenBytes),
  };
}

/** The figures of the instance over all its blocks together. If one block lacks a counter, the counter is not observed. */
export function describeInstanceWrites(blocks: readonly InstanceBlock[]): InstanceWriteFigures {
  const sum = (name: Figure<InstanceBlock>): number | null => addUp(blocks, name);
  const checkpointPages = sum('checkpointPages');
  const backgroundWriterPages = sum('backgroundWriterPages');
  const lazyWrites = sum('lazyWrites');
  const isWhole = checkpointPages !== null && backgroundWriterPages !== null && lazyWrites !== null;
  const totalPages = isWhole ? checkpointPages + backgroundWriterPages + lazyWrites : null;
  const writelogWaits = sum('writelogWaits');
  return {
    observedMs: sum('observedMs') ?? 0,
    checkpointPages,
    backgroundWriterPages,
    lazyWrites,
    totalPages,
    checkpointShare: divide(checkpointPages, totalPages),
    backgroundWriterShare: divide(backgroundWriterPages, totalPages),
    lazyWriterShare: divide(lazyWrites, totalPages),
    pageWrites: sum('pageWrites'),
    writelogWaitMs: divide(sum('writelogWaitMs'), writelogWaits),
    writelogWaits,
  };
}

/**
 * How busy the checkpoint task was by its own waits, 0 to 1: CHECKPOINT_QUEUE is the time in which it has nothing to do; checkpoints by hand do not enter it
 * (docs/facts.md, SQL Server 6). null: no sample of the window has it.
 */
export function measureQueueBusy(
  { rows, beginUtcMs, endUtcMs, checkpointQueueWaitMs }: InstanceSamples,
  window: TimeWindow,
): { readonly share: number; readonly observedMs: number } | null {
  let [observedMs, waitMs] = [0, 0];
  for (let row = 0; row < rows; row++) {
    const [begin = 0, end = 0, wait = NaN] = [beginUtcMs[row], endUtcMs[row], checkpointQueueWaitMs[row]];
    if (begin < window.beginUtcMs || end > window.endUtcMs || Number.isNaN(wait)) continue;
    observedMs += end - begin;
    waitMs += wait;
  }
  return observedMs === 0 ? null : { share: Math.min(1, Math.max(0, 1 - waitMs / observedMs)), observedMs };
}

type Figure<B> = { [K in keyof B]-?: B[K] extends number | null ? K : never }[keyof B];

/** null if there is no block, or one lacks the figure. */
function addUp<B>(blocks: readonly B[], name: Figure<B>): number | null {
  if (blocks.length === 0) return null;
  let total = 0;
  for (const block of blocks) {
    const figure = block[name] as number | null;
    if (figure === null) return null;
    total += figure;
  }
  return total;
}

function divide(dividend: number | null, divisor: number | null): number | null {
  return dividend === null || divisor === null || divisor === 0 ? null : dividend / divisor;
}
