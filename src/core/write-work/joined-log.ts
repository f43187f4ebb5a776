/**
 * The logs that two windows kept of one server, as one. Both read the same counters, so a sum would count twice what
 * was written: each quarter of an hour is of the log that saw more of it, and samples of the other fill only time in
 * which this one has none.
 */
import { identityOf } from '../capture/catalog';
import { findFirst } from '../sorted';
import type { TimeWindow } from '../statistics/observed-time';
import { ROWS_A_STEP, type Steps } from '../steps';
import { BLOCK_MS } from './block';
import type { AnyTable } from './number-table';
import type { WorkBreak, WorkScope } from './work-deltas';
import { MOST_SAMPLED_DATABASES, WriteWorkLog } from './write-work-log';

/** When a row begins and ends, and of which database. */
type Time = readonly [beginUtcMs: number, endUtcMs: number, database?: number];
/** Whether a row counts. */
type Counts = (...time: Time) => boolean;
/**
 * What a number in a row of the other log is in the joined one; -1: the list of databases is full, so this one's rows
 * are left out.
 */
type Translate = (column: string, value: number) => number;

/** @param own both as they were read from bytes: no block is being filled. They stay as they are. */
export function* joinLogs(own: WriteWorkLog, other: WriteWorkLog): Steps<WriteWorkLog> {
  const joined = new WriteWorkLog();
  const ofDatabases = joinLists(joined, own, other);
  for (const scope of ['instance', 'databases'] as const) {
    const translate: Translate = scope === 'instance' ? (_, value) => value : ofDatabases;
    const into = tablesOf(joined, scope);
    const mine = tablesOf(own, scope);
    const theirs = tablesOf(other, scope);
    const [isOwn, isBeside] = [countBeside(own, other, scope), countBeside(other, own, scope)];
    const isOthers: Counts = (begin, end, database = 0) =>
      translate('database', database) >= 0 && isBeside(begin, end);
    const isFree = findFree(mine.samples, isOwn);
    const isFilling: Counts = (...time) => isOthers(...time) && isFree(...time);
    yield* joinTables(into.samples, [mine.samples, isOwn], [theirs.samples, isFilling], translate);
    const seen = yield* sumObserved(mine, isOwn);
    const seenByOther = yield* sumObserved(theirs, isOthers, translate);
    const isMoreOthers = (begin: number, database: number): boolean =>
      (seenByOther.get(begin)?.get(database) ?? 0) > (seen.get(begin)?.get(database) ?? 0);
    const isBetter: Counts = (begin, _, database = 0) => isMoreOthers(begin, translate('database', database));
    const isGood: Counts = (begin, _, database = 0) =>
      seen.get(begin)?.has(database) === true && !isMoreOthers(begin, database);
    for (const name of ['busy', 'idle'] as const)
      yield* joinTables(into[name], [mine[name], isGood], [theirs[name], isBetter], translate);
  }
  return joined;
}

interface Tables {
  readonly samples: AnyTable;
  readonly busy: AnyTable;
  readonly idle: AnyTable;
  readonly keptFromUtcMs: number;
}

function tablesOf(log: WriteWorkLog, scope: WorkScope): Tables {
  const isInstance = scope === 'instance';
  const { busy, idle, keptFromUtcMs } = isInstance ? log.instanceBlockTables : log.databaseBlockTables;
  const samples = isInstance ? log.instanceSampleTable : log.databaseSampleTable;
  return { samples, busy, idle, keptFromUtcMs };
}

function joinLists(joined: WriteWorkLog, own: WriteWorkLog, other: WriteWorkLog): Translate {
  const databases = [...own.databases];
  const places = new Map(databases.map((database, place) => [identityOf(database), place]));
  for (const database of other.databases)
    if (!places.has(identityOf(database)) && databases.length < MOST_SAMPLED_DATABASES)
      places.set(identityOf(database), databases.push(database) - 1);
  const waitNames = [...new Set([...own.logReuseWaitNames, ...other.logReuseWaitNames])];
  const unseen = other.breaks.filter((one) => !own.breaks.some((each) => isOneBreak(each, one)));
  const breaks = [...own.breaks, ...unseen].sort((a, b) => a.endUtcMs - b.endUtcMs);
  joined.restoreLists(databases, waitNames, breaks);
  const placeOf = other.databases.map((database) => places.get(identityOf(database)) ?? -1);
  const bitOf = other.logReuseWaitNames.map((name) => 1 << waitNames.indexOf(name));
  return (column, value) => {
    if (column === 'database') return placeOf[value] ?? value;
    return column === 'waits'
      ? bitOf.reduce((all, bit, at) => ((value >>> at) & 1 ? all | bit : all), 0) >>> 0
      : value;
  };
}

/**
 * Where the clock was set back, time came twice. A log that recorded until then and has not seen it holds the first of
 * the two, which no longer counts.
 */
function countBeside(log: WriteWorkLog, { breaks }: WriteWorkLog, scope: WorkScope): Counts {
  const { samples } = tablesOf(log, scope);
  const timeOf = readTimes(samples);
  const endBefore = (utcMs: number): number =>
    timeOf(findFirst(0, samples.rows, (row) => timeOf(row)[1] > utcMs) - 1)[1];
  const unseen = breaks
    .filter(
      (each) =>
        each.kind === 'clock set back' &&
        each.scope === scope &&
        !log.breaks.some((own) => isOneBreak(own, each)),
    )
    .filter(({ beginUtcMs }) => endBefore(beginUtcMs) > beginUtcMs - BLOCK_MS);
  return (beginUtcMs, endUtcMs) => !unseen.some((time) => meet(time, { beginUtcMs, endUtcMs }));
}

const isOneBreak = (a: WorkBreak, b: WorkBreak): boolean =>
  a.kind === b.kind && a.scope === b.scope && meet(a, b);
const meet = (a: TimeWindow, b: TimeWindow): boolean =>
  a.beginUtcMs < b.endUtcMs && b.beginUtcMs < a.endUtcMs;

/** Times in which no sample that counts lies. */
function findFree(samples: AnyTable, counts: Counts): Counts {
  const timeOf = readTimes(samples);
  return (beginUtcMs, endUtcMs) => {
    for (
      let row = findFirst(0, samples.rows, (row) => timeOf(row)[1] > beginUtcMs);
      row < samples.rows;
      row++
    ) {
      const [begin, end] = timeOf(row);
      if (begin >= endUtcMs) return true;
      if (counts(begin, end)) return false;
    }
    return true;
  };
}

/** When the rows of samples or of blocks begin and end. */
function readTimes(table: AnyTable): (row: number) => Time {
  const [block, database] = [table.column('block'), table.column('database')];
  const [beginUtcMs, endUtcMs] = [table.column('beginUtcMs'), table.column('endUtcMs')];
  return (row) => {
    if (block === undefined) return [beginUtcMs?.[row] ?? NaN, endUtcMs?.[row] ?? NaN, database?.[row]];
    const begin = (block[row] ?? NaN) * BLOCK_MS;
    return [begin, begin + BLOCK_MS, database?.[row]];
  };
}

/** Milliseconds by the begin of a block and by database, of blocks that count and are whole. */
function* sumObserved(
  { busy, idle, keptFromUtcMs }: Tables,
  counts: Counts,
  translate?: Translate,
): Steps<ReadonlyMap<number, ReadonlyMap<number, number>>> {
  const sums = new Map<number, Map<number, number>>();
  for (const table of [busy, idle]) {
    const timeOf = readTimes(table);
    const observedMs = table.column('observedMs') ?? [];
    for (let row = 0; row < table.rows; row++) {
      if (row % (ROWS_A_STEP / 8) === 0) yield;
      const [begin, end, number = 0] = timeOf(row);
      const of = sums.get(begin) ?? new Map<number, number>();
      const database = translate?.('database', number) ?? number;
      if (begin >= keptFromUtcMs && counts(begin, end, number))
        sums.set(begin, of.set(database, (of.get(database) ?? 0) + (observedMs[row] ?? 0)));
    }
  }
  return sums;
}

/** The rows of both that count, in order of time, into an empty table. */
function* joinTables(
  into: AnyTable,
  [own, isOwn]: readonly [AnyTable, Counts],
  [other, isOthers]: readonly [AnyTable, Counts],
  translate: Translate,
): Steps<void> {
  const [timeOf, timeOfOther] = [readTimes(own), readTimes(other)];
  /** Rows of the other are counted down from -1. */
  const order: number[] = [];
  let at = 0;
  let time = timeOf(0);
  let against = 0;
  let timeOfNext = timeOfOther(0);
  while (at < own.rows || against < other.rows) {
    if ((at + against) % (ROWS_A_STEP / 8) === 0) yield;
    if (against === other.rows || (at < own.rows && time[0] <= timeOfNext[0])) {
      if (isOwn(...time)) order.push(at);
      time = timeOf(++at);
    } else {
      if (isOthers(...timeOfNext)) order.push(~against);
      timeOfNext = timeOfOther(++against);
    }
  }
  const dropped = Math.max(0, order.length - into.mostRows);
  const columns = into.allocate(order.length - dropped);
  const [mine, theirs] = [own.views(), other.views()];
  for (const [at, name] of into.names.entries()) {
    const column = columns[at] ?? [];
    const [from, fromOther] = [mine[at] ?? [], theirs[at] ?? []];
    for (let place = 0; place < column.length; place++) {
      if (place % ROWS_A_STEP === 0) yield;
      const row = order[place + dropped] ?? 0;
      column[place] = (row >= 0 ? from[row] : translate(name, fromOther[~row] ?? NaN)) ?? NaN;
    }
  }
  into.restore(order.length - dropped, columns, dropped);
}
