/**
 * Figures that are computed from what was written. Those of a database rest on its own files and counters. Who wrote
 * the pages (checkpoints, background writer, lazy writer) and WRITELOG are known only for the whole instance
 * (docs/facts.md, SQL Server 1) and are never given for a database. null: not observed, or nothing to divide by.
 */
import type { TimeWindow } from '../statistics/observed-time';
import type { DatabaseBlock, InstanceBlock } from './block';
import { findBreak } from './work-deltas';
import type { InstanceReading } from './work-readings';
import { INSTANCE_FIGURES, type InstanceSamples } from './work-samples';

const PAGE_BYTES = 8192;

export interface DatabaseWriteFigures {
  readonly observedMs: number;
  readonly dataWrittenBytes: number;
  readonly logWrittenBytes: number;
  readonly writeTransactions: number | null;
  /**
   * 1: pages are scattered and written one by one. Up to 32, and since SQL Server 2016 up to 128: they are gathered
   * (docs/facts.md, SQL Server 1).
   */
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
  /** Page writes/sec: all pages written, by whatever wrote them. */
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

/** The figures of the instance over all its blocks together. If one block lacks a counter, it is not observed. */
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
 * How busy the checkpoint task was by its own waits, 0 to 1, and of how many milliseconds: CHECKPOINT_QUEUE is the time
 * in which it has nothing to do; checkpoints by hand do not enter it (docs/facts.md, SQL Server 6).
 */
export interface QueueBusy {
  readonly share: number;
  readonly observedMs: number;
  /** SLEEP_BPOOL_FLUSH in milliseconds, of how many: checkpoints held their writes back. Absent: not known. */
  readonly heldBack?: { readonly ms: number; readonly ofMs: number } | undefined;
}

/** null: no sample of the window has it. */
export function measureQueueBusy(
  { rows, beginUtcMs, endUtcMs, checkpointQueueWaitMs }: InstanceSamples,
  window: TimeWindow,
): QueueBusy | null {
  let [observedMs, waitMs] = [0, 0];
  for (let row = 0; row < rows; row++) {
    const [begin = 0, end = 0, wait = NaN] = [beginUtcMs[row], endUtcMs[row], checkpointQueueWaitMs[row]];
    if (begin < window.beginUtcMs || end > window.endUtcMs || Number.isNaN(wait)) continue;
    observedMs += end - begin;
    waitMs += wait;
  }
  return findBusy(waitMs, observedMs);
}

/** Two looks closer together tell nothing. */
const LEAST_APART_MS = 4_000;
/** Looks count for this long: the share is of now, not of last night. */
const LOOKS_COUNT_MS = 3_600_000;
/** More waiting than time, by more than this share of it: it is not one task that waits. */
const MOST_OVER = 0.05;
const QUEUE_WAIT = INSTANCE_FIGURES.indexOf('checkpointQueueWaitMs');

/**
 * Looks at the cumulative waits, with one more. Those before a restart or a clear, or of more than an hour ago, are
 * dropped.
 */
export function addLook(looks: readonly InstanceReading[], now: InstanceReading): readonly InstanceReading[] {
  const last = looks[looks.length - 1];
  const isBroken =
    last === undefined ||
    findBreak(last.moment, now.moment, LOOKS_COUNT_MS) !== null ||
    (now.allWaitMs ?? 0) < (last.allWaitMs ?? 0) ||
    !((now.figures[QUEUE_WAIT] ?? NaN) >= (last.figures[QUEUE_WAIT] ?? NaN));
  return [
    ...(isBroken ? [] : looks.filter(({ moment }) => now.moment.ticksMs - moment.ticksMs <= LOOKS_COUNT_MS)),
    now,
  ];
}

/** From the first of these looks to the last; null: they are too close together. */
export function measureLooks(looks: readonly InstanceReading[]): QueueBusy | null {
  const [first, last] = [looks[0], looks[looks.length - 1]];
  if (
    first === undefined ||
    last === undefined ||
    last.moment.ticksMs - first.moment.ticksMs < LEAST_APART_MS
  )
    return null;
  const ofMs = last.moment.ticksMs - first.moment.ticksMs;
  const busy = findBusy((last.figures[QUEUE_WAIT] ?? NaN) - (first.figures[QUEUE_WAIT] ?? NaN), ofMs);
  const [ms, from] = [last.flushSleepMs, first.flushSleepMs];
  return busy && ms !== null && from !== null && ms >= from
    ? { ...busy, heldBack: { ms: ms - from, ofMs } }
    : busy;
}

function findBusy(waitMs: number, observedMs: number): QueueBusy | null {
  const share = 1 - waitMs / observedMs;
  return share >= -MOST_OVER ? { share: Math.max(0, share), observedMs } : null;
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
