/**
 * The captures of servers as the lake has them: the state of each with its checkpoints and gaps put back, so that they
 * can be judged.
 */
import { realpath } from 'node:fs/promises';
import type { CheckpointColumns } from '../../../src/core/capture/checkpoint-columns';
import type { CaptureState, DatabaseState } from '../../../src/core/capture/capture-state';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import { CheckpointStore } from '../../../src/core/capture/checkpoint-store';
import type { Ledger } from '../../../src/core/capture/ledger';
import type { Gap } from '../../../src/core/session/gap';
import { CHANGES_SECTION, encodeChanges } from '../../../src/monitor/evidence/kept-changes';
import { type LostFilesError, nameDate } from '../../../src/lake/data-files';
import { Lake } from '../../../src/lake/lake';
import { GAP_COLUMNS, ObservedTime } from '../../../src/lake/observed';
import { joinCallers, packCaller } from '../../../src/core/events/event-register';
import type { ReadRow, WantedRows } from '../../../src/lake/parquet-file';
import type { TableName } from '../../../src/lake/tables';
import {
  type DatabaseChange,
  findTargetChange,
  type TargetReading,
} from '../../../src/core/task/change-moment';
import { decodeState, type CollectState } from '../collect/server-state';
import type { TellProblem } from '../kit/output';
import { DAY_MS } from '../../../src/core/time';
import { addToList, countEach } from '../../../src/core/lists';

const CHECKPOINT_COLUMNS = [
  'server',
  'capture_id',
  'database_id',
  'begin_utc',
  'duration_ms',
  'task',
  'is_system',
  'session_id',
];
const FACT_COLUMNS = ['server', 'seen_utc', 'database_id', 'database_name', 'fact', 'value'];

interface SeenFact {
  readonly seenUtcMs: number;
  /** The target recovery time, or null if it was not observable; absent: the fact is the create date. */
  readonly targetSeconds?: number | null;
  readonly createdLocal?: string | null;
}

/**
 * Which servers each of several lakes has. One that is in two of them is of that which read it last, and that is said.
 * @param folders at least one
 * @throws Error with one sentence
 */
export async function shareServers(
  folders: readonly string[],
  report: TellProblem,
): Promise<ReadonlyMap<Lake, ReadonlySet<string>>> {
  const shares = new Map<Lake, Set<string>>();
  const newest = new Map<string, { readonly lake: Lake; readonly readUtcMs: number }>();
  const paths = new Set(await Promise.all(folders.map((each) => realpath(each).catch(() => each))));
  for (const path of paths) {
    const lake = await Lake.openToRead(path);
    shares.set(lake, new Set());
    const reads = new Map<string, number>();
    // A run that did not reach a server, or whose clock was ahead, did not read it last.
    const take = ({ server, server_name, started_utc }: ReadRow): void => {
      const [name, atUtcMs] = [server as string, Number(started_utc)];
      if (server_name != null && atUtcMs < Date.now() + DAY_MS)
        reads.set(name, Math.max(reads.get(name) ?? 0, atUtcMs));
    };
    if (paths.size > 1)
      await visitRows(
        lake,
        'runs',
        null,
        { columns: ['server', 'server_name', 'started_utc'] },
        report,
        take,
      );
    for (const server of await lake.listServers()) {
      const [before, readUtcMs] = [newest.get(server), reads.get(server) ?? 0];
      const [last, other] =
        before && before.readUtcMs > readUtcMs ? [before.lake, lake] : [lake, before?.lake];
      if (other !== undefined)
        report(
          server,
          `${last.folder} read it last, and counts. What ${other.folder} has of it is left out.`,
        );
      newest.set(server, { lake: last, readUtcMs: Math.max(before?.readUtcMs ?? 0, readUtcMs) });
    }
  }
  for (const [server, { lake }] of newest) shares.get(lake)?.add(server);
  return shares;
}

/**
 * How far each of these servers got; null: every server of the lake. What cannot be read is reported in one sentence
 * and left out.
 * @returns by name of the server; absent: the lake knows nothing of it
 */
export async function readStates(
  lake: Lake,
  servers: ReadonlySet<string> | null,
  report: TellProblem,
): Promise<ReadonlyMap<string, CollectState>> {
  const { states } = await lake.stand(servers ?? undefined);
  const read = new Map<string, CollectState>();
  for (const [server, [newest]] of states) {
    if (newest === undefined) continue;
    const { state, problems } = decodeState(newest.state);
    for (const problem of problems) report(server, problem);
    read.set(server, state);
  }
  return read;
}

/**
 * The captures that can go on, with what the lake has of their last days. Before those, nothing counts as observed.
 * @param report is told of a capture that cannot be put together, which is left out
 */
export async function readStoredCaptures(
  lake: Lake,
  states: ReadonlyMap<string, CollectState>,
  days: number,
  report: TellProblem,
): Promise<ReadonlyMap<string, KeptRecord>> {
  const gathered = new Map<string, Gathered>();
  const dates = new Set<string>();
  for (const [server, { capture }] of states) {
    const endUtcMs = capture?.observation?.endUtcMs;
    if (capture?.state == null || endUtcMs === undefined) continue;
    const fromUtcMs = endUtcMs - days * DAY_MS;
    gathered.set(server, beginGathering(capture, fromUtcMs));
    for (let day = 0; day <= days; day++) dates.add(nameDate(fromUtcMs + day * DAY_MS));
  }
  const servers = new Set(gathered.keys());
  const visit = (
    name: TableName,
    among: typeof dates | null,
    columns: readonly string[],
    take: TakeRow,
    lost?: (lost: LostFilesError) => void,
  ) => visitRows(lake, name, among, { columns, servers }, report, take, lost);
  const lose = (lost: LostFilesError): void => gathered.forEach(({ time }) => time.addLost(lost));
  await visit('checkpoints', dates, CHECKPOINT_COLUMNS, (row) => takeCheckpoint(gathered, row), lose);
  // A gap that lasts was written on the day of its begin, and a target recovery time when it was first seen.
  await visit('gaps', null, ['server', ...GAP_COLUMNS], (row) => findOwn(gathered, row)?.time.addGap(row));
  await visit('facts', null, FACT_COLUMNS, (row) => takeFact(gathered.get(row.server as string), row));
  await visit('runs', dates, ['server', 'observed_to_utc'], (row) => {
    const observedToUtcMs = row.observed_to_utc;
    if (observedToUtcMs != null) gathered.get(row.server as string)?.runs.push(observedToUtcMs as number);
  });
  const captures = new Map<string, KeptRecord>();
  for (const [server, own] of gathered) {
    if (own.unnamed > 0)
      report(
        server,
        'The lake has checkpoints of a database that its state does not name. They are left out.',
      );
    else captures.set(server, putTogether(own));
  }
  return captures;
}

type Gathered = ReturnType<typeof beginGathering>;

/** Rows of one server as they are gathered. @param fromUtcMs what happened before counts for nothing */
function beginGathering(capture: KeptRecord, fromUtcMs: number) {
  const { rows, beginUtcMs, durationMs, database } = capture.columns;
  const names = Array.from(
    { length: rows },
    (_, at) => `${beginUtcMs[at]} ${durationMs[at]} ${database[at]}`,
  );
  const databases = new Map<number, (readonly [number, DatabaseState])[]>();
  for (const [at, one] of (capture.state?.plain.databases ?? []).entries())
    addToList(databases, one.databaseId, [at, one]);
  return {
    capture,
    fromUtcMs,
    /** Checkpoints that its state has itself, by name, and how many of each: the last ones stay in it. */
    held: new Map(countEach(names)),
    /** When the first of those began. */
    heldFromUtcMs: beginUtcMs.reduce((least, utcMs) => Math.min(least, utcMs), Infinity),
    /** Indexes of the databases that had an id, and those databases. */
    databases,
    store: new CheckpointStore(),
    /** Checkpoints of a database that its state does not name. */
    unnamed: 0,
    /** Who asked, by the number of the task. */
    callers: [...(capture.columns.callers ?? [])],
    /** Its gaps alone. */
    time: new ObservedTime(),
    /** Facts of each database that tell of a change, by database_id and name, as they were first seen. */
    seen: new Map<string, SeenFact[]>(),
    /** Until when each run observed, by the server's clock: it had read the facts a little before. */
    runs: [] as number[],
  };
}

type TakeRow = (row: ReadRow) => void;

/**
 * @param dates only these days; null: all
 * @param report is told of each server whose rows were left out, because they are at no time that there is
 */
export async function visitRows(
  lake: Lake,
  name: TableName,
  dates: ReadonlySet<string> | null,
  wanted: WantedRows,
  report: TellProblem,
  visit: TakeRow,
  takeLost?: (lost: LostFilesError) => void,
): Promise<void> {
  const outside = new Map<string, number>();
  const lost = (error: LostFilesError): void => {
    report('The lake', error.message);
    takeLost?.(error);
  };
  const count = ({ server }: ReadRow): void =>
    void outside.set(String(server), (outside.get(String(server)) ?? 0) + 1);
  const isWanted = (date: string): boolean => dates === null || dates.has(date);
  await lake.visit(name, visit, { ...wanted, outside: count, lost }, isWanted);
  for (const [server, rows] of outside)
    report(server, `The lake has rows at no time from 1970 to 2199 (${name}: ${rows}). They are left out.`);
}

/** Rows of an earlier capture of the server say nothing about this one. */
function findOwn(gathered: ReadonlyMap<string, Gathered>, row: ReadRow): Gathered | null {
  const own = gathered.get(row.server as string);
  return own?.capture.id === row.capture_id ? (own ?? null) : null;
}

/** The index of the database that had the id then; -1: none. */
function findDatabase({ databases }: Gathered, databaseId: number, utcMs: number): number {
  const own = databases.get(databaseId) ?? [];
  const isThen = ([, { fromUtcMs, toUtcMs }]: (typeof own)[number]): boolean =>
    (fromUtcMs ?? -Infinity) <= utcMs && utcMs < (toUtcMs ?? Infinity);
  return ((own.length > 1 ? own.find(isThen) : undefined) ?? own[0])?.[0] ?? -1;
}

function takeCheckpoint(gathered: ReadonlyMap<string, Gathered>, row: ReadRow): void {
  const own = findOwn(gathered, row);
  const begin = row.begin_utc as number;
  if (own === null || begin < own.fromUtcMs) return;
  const duration = row.duration_ms as number;
  const database = findDatabase(own, row.database_id as number, begin);
  if (begin >= own.heldFromUtcMs) {
    const name = `${begin} ${duration} ${database}`;
    const held = own.held.get(name) ?? 0;
    if (held > 0) return void own.held.set(name, held - 1);
  }
  if (database < 0) return void own.unnamed++;
  const task = (row.task ?? 0) as number;
  own.store.append(begin, duration, database, task);
  // An earlier version wrote neither column.
  const { is_system = null, session_id = null } = row;
  if (task === 0 || (is_system === null && session_id === null)) return;
  const isSystem = is_system === null ? null : is_system === 1;
  const caller = packCaller({ isSystem, sessionId: session_id as number | null });
  own.callers[task] = joinCallers(own.callers[task] ?? 0, caller);
}

function takeFact(own: Gathered | undefined, row: ReadRow): void {
  const value = row.value as string | null;
  const fact =
    row.fact === 'target_recovery_time_seconds'
      ? { targetSeconds: value === null ? null : Number(value) }
      : row.fact === 'created_local'
        ? { createdLocal: value }
        : null;
  if (own === undefined || fact === null) return;
  const key = JSON.stringify([row.database_id, row.database_name]);
  addToList(own.seen, key, { seenUtcMs: row.seen_utc as number, ...fact });
}

/** Longer than a run takes from the facts to the last events. */
const MOST_RUN_MS = 5 * 60_000;

/** Changes of target recovery time that runs saw. Each lies between two of them. */
function listChanges({ seen, runs }: Gathered): readonly DatabaseChange[] {
  return [...seen].flatMap(([key, facts]) => {
    const [databaseId, name] = JSON.parse(key) as readonly [number, string];
    let createdLocal: string | null = null;
    let before: (TargetReading & { readonly seenUtcMs: number }) | undefined;
    // A run writes all that it saw at one moment: the create date first, because it tells which database the others are
    // of.
    const inOrder = [...facts].sort(
      (a, b) => a.seenUtcMs - b.seenUtcMs || Number('targetSeconds' in a) - Number('targetSeconds' in b),
    );
    return inOrder.flatMap(({ seenUtcMs, ...fact }): readonly DatabaseChange[] => {
      if (fact.createdLocal !== undefined) createdLocal = fact.createdLocal;
      if (fact.targetSeconds == null) return [];
      const after = { databaseId, name, createdLocal, targetSeconds: fact.targetSeconds, seenUtcMs };
      const [change, beforeUtcMs] = [findTargetChange(before, after), before?.seenUtcMs ?? seenUtcMs];
      before = after;
      if (change === null) return [];
      const earlier = runs.filter((utcMs) => utcMs < seenUtcMs).map((utcMs) => utcMs - MOST_RUN_MS);
      const notBeforeUtcMs = Math.max(beforeUtcMs, ...earlier);
      return [{ databaseId, source: 'observed', atUtcMs: seenUtcMs, notBeforeUtcMs, ...change }];
    });
  });
}

function putTogether(own: Gathered): KeptRecord {
  const { capture, fromUtcMs, store, callers } = own;
  const state = capture.state as CaptureState;
  const { plain, columns: held, unpaired, pending } = state;
  for (let at = 0; at < held.rows; at++)
    store.append(held.beginUtcMs[at]!, held.durationMs[at]!, held.database[at]!, held.task?.[at]);
  store.trim();
  const { task, ...others } = store.columns();
  const columns: CheckpointColumns =
    held.task === undefined
      ? others
      : // What no row names is undefined, which is not known.
        { ...others, task: task!, callers: Uint32Array.from(callers, (caller) => caller ?? 0) };
  const nameGap = ({ kind, beginUtcMs }: Gap): string => `${kind} ${beginUtcMs}`;
  const known = new Map(plain.gaps.map((gap) => [nameGap(gap), gap]));
  const stored = own.time.listToldGaps().filter((gap) => !known.has(nameGap(gap)));
  const gaps = [...stored, ...known.values()].filter(({ endUtcMs }) => endUtcMs > fromUtcMs);
  gaps.sort((a, b) => a.beginUtcMs - b.beginUtcMs || a.endUtcMs - b.endUtcMs);
  const observed = plain.observed && {
    ...plain.observed,
    beginUtcMs: Math.max(plain.observed.beginUtcMs, Math.min(fromUtcMs, plain.observed.endUtcMs)),
  };
  const rowsRead = 2 * columns.rows + unpaired.rows + pending.rows;
  const ledger: Ledger = { ...capture.ledger, rowsRead, checkpoints: columns.rows };
  const sections = [{ name: CHANGES_SECTION, bytes: encodeChanges(listChanges(own)) }];
  return {
    ...capture,
    columns,
    ledger,
    sections,
    observation: observed && { ...capture.observation, ...observed, gaps },
    state: { ...state, columns, plain: { ...plain, rowsRead, observed, gaps } },
  };
}
