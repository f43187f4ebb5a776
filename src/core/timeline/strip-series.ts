/**
 * Samples of write work as one series of intervals for the strips over the lanes. First come blocks of a quarter of an
 * hour, for the time whose samples were dropped; then the samples themselves; later what is new after a cursor.
 *
 *     blocks of weeks        samples of the instance, each with the latencies of the sample of databases that covers its middle
 *     |------|------|------| |--|--|--|--|--|--|--|--|--|  (held back until that one has come)
 *                            |-----------|-----------|-
 */
import { BLOCK_MS, type InstanceBlock } from '../write-work/block';
import type { InstanceSamples } from '../write-work/work-samples';
import type { WriteWorkLog } from '../write-work/write-work-log';
import { addUpBlocks, averageOf, FileGroups, type FileTotals, NO_TOTALS } from '../write-work/file-totals';
import { type StripSamples, StripBuilder } from './strip-samples';

/**
 * The newest samples and, before them, the newest blocks: 36 bytes each, so that all of them fit into one message of 1
 * MB.
 */
export const MOST_STRIP_SAMPLES = 20_000;
const MOST_STRIP_BLOCKS = 7_000;
/** After this many were given one after the other, all are given again, without the oldest. */
const MOST_GIVEN = 2 * MOST_STRIP_SAMPLES;
/**
 * How long a sample of the instance waits for that of the databases, which comes less often. Then it goes alone:
 * perhaps only one can be observed.
 */
const HOLD_BACK_MS = 90_000;
/** A shorter part of a sample gets no interval of its own. */
const LEAST_PART_MS = 1_000;

/**
 * How far a series was given, and of which log. Rows are counted with those that the log dropped, since it last
 * withdrew some.
 */
export interface StripPosition {
  readonly log: WriteWorkLog;
  readonly timesWithdrawn: number;
  readonly instanceRow: number;
  readonly databaseRow: number;
  /** End of the last interval; -Infinity before the first. */
  readonly toUtcMs: number;
  /** How many samples were given since the beginning. */
  readonly given: number;
}

export interface StripUpdate {
  /** Everything given before is to be dropped; otherwise these follow it. */
  readonly replaces: boolean;
  readonly samples: StripSamples;
  readonly cursor: StripPosition;
}

/**
 * What is new since the cursor, at the cost of what is new. Everything if there is no cursor, or it is of another log.
 * @param isGoingOn whether more is being sampled
 * @returns null if nothing is new
 */
export function readStripSamples(
  log: WriteWorkLog,
  isGoingOn: boolean,
  held: StripPosition | null,
): StripUpdate | null {
  const { timesWithdrawn } = log;
  if (held?.log !== log || held.timesWithdrawn !== timesWithdrawn || held.given > MOST_GIVEN)
    return readWhole(log, isGoingOn);
  const builder = new StripBuilder(held.toUtcMs);
  const groups = new FileGroups(log, held.databaseRow);
  const instanceRow = addSamples(builder, log, {
    groups,
    fromRow: held.instanceRow,
    isGoingOn,
    before: () => NO_TOTALS,
  });
  const samples = builder.end();
  const given = held.given + samples.samples;
  const cursor = {
    log,
    timesWithdrawn,
    instanceRow,
    databaseRow: groups.row,
    toUtcMs: builder.toUtcMs,
    given,
  };
  return samples.samples === 0 ? null : { replaces: false, samples, cursor };
}

function readWhole(log: WriteWorkLog, isGoingOn: boolean): StripUpdate {
  const instance = log.instanceSamples();
  const firstRow = Math.max(0, instance.rows - MOST_STRIP_SAMPLES);
  const groups = new FileGroups(log, 0);
  const groupsFromUtcMs = log.databaseSamples().beginUtcMs[0] ?? Infinity;
  const samplesFromUtcMs = instance.beginUtcMs[firstRow] ?? groupsFromUtcMs;
  const totals = addUpBlocks(log);
  const builder = new StripBuilder(-Infinity);
  addBlocks(builder, log, totals, samplesFromUtcMs);
  if (samplesFromUtcMs < Infinity) builder.moveTo(samplesFromUtcMs);
  const instanceRow = addSamples(builder, log, {
    groups,
    fromRow: log.instanceSampleTable.droppedRows + firstRow,
    isGoingOn,
    before: (utcMs) =>
      utcMs < groupsFromUtcMs ? (totals.get(Math.floor(utcMs / BLOCK_MS)) ?? NO_TOTALS) : NO_TOTALS,
  });
  const samples = builder.end();
  const { timesWithdrawn } = log;
  const cursor = {
    log,
    timesWithdrawn,
    instanceRow,
    databaseRow: groups.row,
    toUtcMs: builder.toUtcMs,
    given: samples.samples,
  };
  return { replaces: true, samples, cursor };
}

interface Going {
  readonly groups: FileGroups;
  /** The first row of the samples of the instance. */
  readonly fromRow: number;
  readonly isGoingOn: boolean;
  /** What was written around a time whose samples of databases were dropped. */
  readonly before: (utcMs: number) => FileTotals;
}

/** @returns the row of the instance from which to go on */
function addSamples(
  builder: StripBuilder,
  log: WriteWorkLog,
  { groups, fromRow, isGoingOn, before }: Going,
): number {
  const instance = log.instanceSamples();
  const { droppedRows } = log.instanceSampleTable;
  const settledUtcMs = findSettled(
    instance.endUtcMs[instance.rows - 1] ?? -Infinity,
    groups.lastEndUtcMs,
    isGoingOn,
  );
  let row = Math.max(0, fromRow - droppedRows);
  for (; row < instance.rows; row++) {
    const [beginUtcMs = 0, endUtcMs = 0] = [instance.beginUtcMs[row], instance.endUtcMs[row]];
    if (endUtcMs > settledUtcMs) break;
    addParts(builder, groups, beginUtcMs, settledUtcMs);
    const middleUtcMs = (beginUtcMs + endUtcMs) / 2;
    const group = groups.advanceBehind(middleUtcMs);
    const isCovered = group !== null && group.beginUtcMs <= middleUtcMs;
    builder.add(beginUtcMs, endUtcMs, [
      ...describeFiles(isCovered ? group : before(middleUtcMs)),
      ...describeInstance(instance, row),
    ]);
  }
  addParts(builder, groups, instance.beginUtcMs[row] ?? Infinity, settledUtcMs);
  return droppedRows + row;
}

/** Up to here, nothing that is still to come adds to the samples. */
function findSettled(instanceUtcMs: number, databasesUtcMs: number, isGoingOn: boolean): number {
  const newestUtcMs = Math.max(instanceUtcMs, databasesUtcMs);
  return isGoingOn
    ? Math.max(Math.min(instanceUtcMs, databasesUtcMs), newestUtcMs - HOLD_BACK_MS)
    : newestUtcMs;
}

/**
 * For time in which the instance was not sampled: adds the samples of databases up to a time, as far as they lie before
 * it.
 */
function addParts(builder: StripBuilder, groups: FileGroups, untilUtcMs: number, settledUtcMs: number): void {
  for (;;) {
    const group = groups.advanceBehind(builder.toUtcMs);
    if (group === null || group.beginUtcMs >= untilUtcMs) return;
    const endUtcMs = Math.min(untilUtcMs, group.endUtcMs);
    if (endUtcMs > settledUtcMs || endUtcMs <= builder.toUtcMs) return;
    builder.add(group.beginUtcMs, endUtcMs, [...describeFiles(group), ...NO_INSTANCE], LEAST_PART_MS);
    builder.moveTo(endUtcMs);
  }
}

/** The newest blocks that begin before the first sample. */
function addBlocks(
  builder: StripBuilder,
  log: WriteWorkLog,
  totals: ReadonlyMap<number, FileTotals>,
  untilUtcMs: number,
): void {
  const instance = new Map(log.instanceBlocks().map((block) => [block.beginUtcMs / BLOCK_MS, block]));
  const numbers = [...new Set([...instance.keys(), ...totals.keys()])].filter(
    (number) => number * BLOCK_MS < untilUtcMs,
  );
  numbers.sort((a, b) => a - b);
  for (const number of numbers.slice(-MOST_STRIP_BLOCKS)) {
    const beginUtcMs = number * BLOCK_MS;
    const values = [
      ...describeFiles(totals.get(number) ?? NO_TOTALS),
      ...describeBlock(instance.get(number)),
    ];
    builder.add(beginUtcMs, Math.min(untilUtcMs, beginUtcMs + BLOCK_MS), values);
  }
}

/** The series in the order of STRIP_SERIES: two of files, three of the instance. */
type FileValues = readonly [dataWriteMs: number, logWriteMs: number];
type InstanceValues = readonly [
  writelogMs: number,
  checkpointPagesPerSecond: number,
  backgroundWriterPagesPerSecond: number,
];

const NO_INSTANCE: InstanceValues = [NaN, NaN, NaN];

function describeFiles({ dataWrites, dataStallMs, logWrites, logStallMs }: FileTotals): FileValues {
  return [averageOf(dataStallMs, dataWrites), averageOf(logStallMs, logWrites)];
}

function describeInstance(samples: InstanceSamples, row: number): InstanceValues {
  const seconds = ((samples.endUtcMs[row] ?? NaN) - (samples.beginUtcMs[row] ?? NaN)) / 1000;
  const { checkpointPages, backgroundWriterPages, writelogWaits, writelogWaitMs } = samples;
  return [
    averageOf(writelogWaitMs[row] ?? NaN, writelogWaits[row] ?? NaN),
    (checkpointPages[row] ?? NaN) / seconds,
    (backgroundWriterPages[row] ?? NaN) / seconds,
  ];
}

function describeBlock(block: InstanceBlock | undefined): InstanceValues {
  if (block === undefined || block.observedMs === 0) return NO_INSTANCE;
  const { checkpointPages, backgroundWriterPages, writelogWaits, writelogWaitMs, observedMs } = block;
  const seconds = observedMs / 1000;
  return [
    averageOf(writelogWaitMs ?? NaN, writelogWaits ?? NaN),
    (checkpointPages ?? NaN) / seconds,
    (backgroundWriterPages ?? NaN) / seconds,
  ];
}
