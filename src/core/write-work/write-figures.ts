/**
 * Figures that follow from what was written. Those of a database rest on its own files and counters; who wrote the pages (checkpoints, background
 * writer, lazy writer) and WRITELOG are known for the whole instance alone (docs/facts.md, SQL Server 1) and are never given for a database.
 * null: not observed, or nothing to divide by.
 */
import type { DatabaseBlock, InstanceBlock } from './block';

/** Bytes of a page. */
const PAGE_BYTES = 8192;

export interface DatabaseWriteFigures {
  readonly observedMs: number;
  readonly dataWrittenBytes: number;
  readonly logWrittenBytes: number;
  readonly writeTransactions: number | null;
  /** 1: scattered, 8 KB at a time; up to 32, since SQL Server 2016 up to 128: gathered (docs/facts.md, SQL Server 1). */
  readonly pagesPerWrite: number | null;
  readonly bytesPerWrite: number | null;
  /** Average milliseconds of one write. */
  readonly dataLatencyMs: number | null;
  readonly logLatencyMs: number | null;
  /** How many bytes of data files were written for each byte of log: what a before / after compares. */
  readonly dataBytesPerLogByte: number | null;
}

export interface InstanceWriteFigures {
  readonly observedMs: number;
  readonly checkpointPages: number | null;
  readonly backgroundWriterPages: number | null;
  readonly lazyWrites: number | null;
  /** The three together. */
  readonly totalPages: number | null;
  /** Of the three together, 0 to 1. */
  readonly checkpointShare: number | null;
  readonly backgroundWriterShare: number | null;
  readonly lazyWriterShare: number | null;
  /** Page writes/sec: all pages written, by whomever. */
  readonly pageWrites: number | null;
  /** Average milliseconds that a task waited for WRITELOG. */
  readonly writelogWaitMs: number | null;
  readonly writelogWaits: number | null;
}

/** The figures of one database over its blocks, each weighted by what it holds. */
export function describeDatabaseWrites(blocks: readonly DatabaseBlock[]): DatabaseWriteFigures {
  const sum = (of: (block: DatabaseBlock) => number | null): number | null => addUp(blocks, of);
  const dataWrittenBytes = sum((block) => block.dataWrittenBytes) ?? 0;
  const logWrittenBytes = sum((block) => block.logWrittenBytes) ?? 0;
  const dataWrites = sum((block) => block.dataWrites);
  const bytesPerWrite = divide(dataWrittenBytes, dataWrites);
  return {
    observedMs: sum((block) => block.observedMs) ?? 0,
    dataWrittenBytes,
    logWrittenBytes,
    writeTransactions: sum((block) => block.writeTransactions),
    pagesPerWrite: bytesPerWrite === null ? null : bytesPerWrite / PAGE_BYTES,
    bytesPerWrite,
    dataLatencyMs: divide(
      sum((block) => block.dataWriteStallMs),
      dataWrites,
    ),
    logLatencyMs: divide(
      sum((block) => block.logWriteStallMs),
      sum((block) => block.logWrites),
    ),
    dataBytesPerLogByte: divide(dataWrittenBytes, logWrittenBytes),
  };
}

/** The figures of the instance over its blocks. A counter that one block lacks is not observed over all of them. */
export function describeInstanceWrites(blocks: readonly InstanceBlock[]): InstanceWriteFigures {
  const sum = (of: (block: InstanceBlock) => number | null): number | null => addUp(blocks, of);
  const checkpointPages = sum((block) => block.checkpointPages);
  const backgroundWriterPages = sum((block) => block.backgroundWriterPages);
  const lazyWrites = sum((block) => block.lazyWrites);
  const isWhole = checkpointPages !== null && backgroundWriterPages !== null && lazyWrites !== null;
  const totalPages = isWhole ? checkpointPages + backgroundWriterPages + lazyWrites : null;
  const writelogWaits = sum((block) => block.writelogWaits);
  return {
    observedMs: sum((block) => block.observedMs) ?? 0,
    checkpointPages,
    backgroundWriterPages,
    lazyWrites,
    totalPages,
    checkpointShare: divide(checkpointPages, totalPages),
    backgroundWriterShare: divide(backgroundWriterPages, totalPages),
    lazyWriterShare: divide(lazyWrites, totalPages),
    pageWrites: sum((block) => block.pageWrites),
    writelogWaitMs: divide(
      sum((block) => block.writelogWaitMs),
      writelogWaits,
    ),
    writelogWaits,
  };
}

/** null where there is no block, or one lacks the figure. */
function addUp<B>(blocks: readonly B[], of: (block: B) => number | null): number | null {
  if (blocks.length === 0) return null;
  let total = 0;
  for (const block of blocks) {
    const figure = of(block);
    if (figure === null) return null;
    total += figure;
  }
  return total;
}

function divide(dividend: number | null, divisor: number | null): number | null {
  return dividend === null || divisor === null || divisor === 0 ? null : dividend / divisor;
}
