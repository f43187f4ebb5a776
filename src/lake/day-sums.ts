/**
 * Sums of days that are over, by server and by database: what long questions read in place of checkpoints, also when
 * those are forgotten. `analysis/views.sql` computes the same of a day without sums; a test holds both equal.
 */
import { randomUUID } from 'node:crypto';
import { replaceFiles } from './compaction';
import { addRow, compareBytes, countRowsOf, createRows, type LakeRows, nameDate } from './data-files';
import type { Lake } from './lake';
import { GAP_COLUMNS, OBSERVED, ObservedTime, uniteObserved } from './observed';
import type { ReadRow } from './parquet-file';
import type { TableName } from './tables';
import { addToList } from '../core/lists';
import { PATIENCE_MS } from '../core/pairing/run';
import { createGapCrossing } from '../core/session/gap-crossing';
import { createPieceMeter } from '../core/statistics/observed-time';
import { DAY_MS } from '../core/time';

/**
 * Where lengths begin, in milliseconds, and their tens. So a percentile is at most a quarter too high, and each recovery
 * interval that is usual is where one begins.
 */
const LENGTHS = [10, 12, 15, 18, 20, 24, 30, 36, 40, 50, 60, 70, 80, 90];
/** Servers whose checkpoints are in memory at once: neighbours in the files. */
const SERVERS_AT_ONCE = 20;
/** Days after which a day counts as read to its end. */
const LATE_DAYS = 7;

const toMicros = (ms: number): number => Math.round(ms * 1_000);

/**
 * Sums up the days before `today` that have no sums, or of which there are more checkpoints now.
 * @returns how many days
 */
export async function sumDays(lake: Lake, today: string): Promise<number> {
  const due = await listDue(lake, today);
  if (due[0] === undefined) return 0;
  const grounds = await readGrounds(lake, nameDate(Date.parse(due[0].date) - 2 * DAY_MS));
  let days = 0;
  for (const { date, summed } of due) {
    const dayUtcMs = Date.parse(date);
    const isLate = dayUtcMs + LATE_DAYS * DAY_MS < Date.parse(today);
    const isWhole = ({ observed, targets }: Grounds): boolean =>
      targets.size > 0 && (observed[observed.length - 1] ?? 0) >= toMicros(dayUtcMs + DAY_MS + PATIENCE_MS);
    const whole = grounds.filter((server) => isLate || isWhole(server));
    const sums = { server_days: createRows('server_days'), database_days: createRows('database_days') };
    for (let at = 0; at < whole.length; at += SERVERS_AT_ONCE)
      await sumServers(lake, whole.slice(at, at + SERVERS_AT_ONCE), dayUtcMs, sums);
    const rows = sums.server_days['checkpoint_rows'] as number[];
    if (rows.reduce((sum, each) => sum + each, 0) === summed || rows.length === 0) continue;
    days++;
    // Those of databases count once those of their server are there.
    for (const table of ['database_days', 'server_days'] as const) {
      const before = await lake.listFiles(table, (each) => each === date);
      await replaceFiles(lake, table, before, [sums[table]], 'WRITE', date);
    }
  }
  return days;
}

/** Days with more checkpoints than were summed up; `summed` is undefined where none were. */
async function listDue(lake: Lake, today: string) {
  const rows = new Map<string, number>();
  for (const table of ['runs', 'checkpoints'] as const)
    for (const file of await lake.listFiles(table, (date) => date < today)) {
      const { date = '' } = file.partitionValues;
      rows.set(date, (rows.get(date) ?? 0) + (table === 'runs' ? 0 : countRowsOf(file)));
    }
  const summed = new Map<string, number>();
  await lake.visit('server_days', ({ day_utc, checkpoint_rows }) => {
    const date = nameDate(Number(day_utc));
    summed.set(date, (summed.get(date) ?? 0) + Number(checkpoint_rows));
  });
  return [...rows]
    .map(([date, there]) => ({ date, summed: summed.get(date), there }))
    .filter(({ summed, there }) => (summed ?? -1) < there)
    .sort((a, b) => (a.date < b.date ? -1 : 1));
}

/** What tells of one server which checkpoints count, and as what. */
interface Grounds {
  readonly server: string;
  readonly captures: ReadonlyMap<string, ObservedTime>;
  /** Pieces of observed time, in microseconds: sums of them are exact. */
  readonly observed: readonly number[];
  /** By database, in order. */
  readonly targets: ReadonlyMap<string, readonly Target[]>;
}

/** A target recovery time, and when it was first seen. */
type Target = readonly [seenUtcMs: number, seconds: string | null];

const nameDatabase = ({ database_id, database_name }: ReadRow): string =>
  JSON.stringify([database_id, database_name]);

/** @param since the date of the first runs that matter @returns in the order of the files */
async function readGrounds(lake: Lake, since: string): Promise<readonly Grounds[]> {
  const servers = new Map<string, { captures: Map<string, ObservedTime>; targets: Map<string, Target[]> }>();
  const visit = async (
    table: TableName,
    columns: readonly string[],
    take: (row: ReadRow) => void,
  ): Promise<void> => {
    const wanted = { columns: ['server', ...columns], outside: (): void => undefined };
    await lake.visit(table, take, wanted, (date) => table !== 'runs' || date >= since);
  };
  await visit('runs', ['capture_id', ...OBSERVED], (run) => {
    const own = servers.get(run.server as string) ?? { captures: new Map(), targets: new Map() };
    servers.set(run.server as string, own);
    const id = run.capture_id as string;
    own.captures.set(id, (own.captures.get(id) ?? new ObservedTime()).addRun(run));
  });
  await visit('gaps', GAP_COLUMNS, (gap) => {
    const own = servers.get(gap.server as string);
    own?.captures.get(gap.capture_id as string)?.addGap(gap);
  });
  await visit('facts', [...DATABASE, 'fact', 'seen_utc', 'value'], (row) => {
    const own = servers.get(row.server as string);
    if (own === undefined || row.fact !== 'target_recovery_time_seconds' || row.database_name == null) return;
    addToList(own.targets, nameDatabase(row), [row.seen_utc as number, row.value as string | null]);
  });
  return [...servers]
    .sort(([a], [b]) => compareBytes(a, b))
    .map(([server, { captures, targets }]) => {
      for (const list of targets.values())
        list.sort((a, b) => a[0] - b[0] || compareBytes(a[1] ?? '', b[1] ?? ''));
      return { server, captures, observed: uniteObserved(captures.values()).map(toMicros), targets };
    });
}

/** A checkpoint that counts; times in microseconds. */
interface Sound {
  readonly beginUs: number;
  readonly endUs: number;
  readonly row: ReadRow;
}

const DATABASE = ['database_id', 'database_name'];
const CHECKPOINT = ['server', 'capture_id', ...DATABASE, 'begin_utc', 'end_utc', 'duration_ms'];

async function sumServers(
  lake: Lake,
  servers: readonly Grounds[],
  dayUtcMs: number,
  sums: Readonly<Record<'server_days' | 'database_days', LakeRows>>,
): Promise<void> {
  const own = new Map(
    servers.map((grounds) => {
      const crossings = [...grounds.captures].map(
        ([id, time]) => [id, createGapCrossing(time.listToldGaps())] as const,
      );
      return [grounds.server, { grounds, isDoubtful: new Map(crossings), sound: [] as Sound[], rows: 0 }];
    }),
  );
  // One that began on the day before may reach into this one.
  const dates = [nameDate(dayUtcMs - DAY_MS), nameDate(dayUtcMs)];
  const take = (row: ReadRow): void => {
    const one = own.get(row.server as string)!;
    const [begin, end] = [row.begin_utc as number, row.end_utc as number];
    if (begin >= dayUtcMs) one.rows++;
    else if (end <= dayUtcMs) return;
    if (one.isDoubtful.get(row.capture_id as string)?.(begin, end) === true) return;
    one.sound.push({ beginUs: toMicros(begin), endUs: toMicros(end), row: { ...row } });
  };
  const wanted = { columns: CHECKPOINT, servers: new Set(own.keys()), outside: () => undefined };
  await lake.visit('checkpoints', take, wanted, (date) => dates.includes(date));
  for (const { grounds, sound, rows: checkpoint_rows } of own.values()) {
    const head = { server: grounds.server, day_utc: dayUtcMs, sum_id: randomUUID() };
    const summed = sumServer(grounds, sound, head, sums.database_days);
    if (summed.observed_us > 0 || checkpoint_rows > 0)
      addRow(sums.server_days, { ...head, ...summed, checkpoint_rows });
  }
}

/** What each row of one server and day begins with. */
type Head = Readonly<Record<'server' | 'sum_id', string> & Record<'day_utc', number>>;

/** Adds the rows of each database. @returns the figures of the server */
function sumServer({ observed, targets }: Grounds, sound: Sound[], head: Head, databaseDays: LakeRows) {
  const [fromUs, toUs] = [head.day_utc * 1_000, (head.day_utc + DAY_MS) * 1_000];
  const meter = createPieceMeter(Float64Array.from(observed));
  const reached = new Map<string, number>();
  /** Observed time of the day that one takes, and none before it with the same key. */
  const take = (key: string, { beginUs, endUs }: Sound): number => {
    const from = Math.max(beginUs, fromUs, reached.get(key) ?? 0);
    const to = Math.min(endUs, toUs);
    reached.set(key, Math.max(to, reached.get(key) ?? 0));
    return to > from ? meter(to) - meter(from) : 0;
  };
  const databases = new Map<string, DatabaseDay>();
  let busy_us = 0;
  for (const one of sound.sort((a, b) => a.beginUs - b.beginUs || a.endUs - b.endUs)) {
    const key = nameDatabase(one.row);
    const day = databases.get(key) ?? { of: one.row, lengths: [], turns: 0, busy_us: 0 };
    databases.set(key, day);
    const isTurn = isAutomatic(targets.get(key) ?? [], one.beginUs / 1_000);
    if (isTurn) day.busy_us += take(key, one);
    if (isTurn) busy_us += take('', one);
    if (one.beginUs < fromUs) continue;
    day.lengths.push(one.row.duration_ms as number);
    if (isTurn) day.turns++;
  }
  for (const day of databases.values())
    if (day.lengths.length + day.busy_us > 0) addDatabaseDay(databaseDays, head, day);
  // null: which databases are automatic was never seen.
  return { observed_us: meter(toUs) - meter(fromUs), busy_us: targets.size === 0 ? null : busy_us };
}

/** Until a target is seen, what was seen first holds. */
function isAutomatic(targets: readonly Target[], utcMs: number): boolean {
  const later = targets.findIndex(([seenUtcMs], at) => at > 0 && seenUtcMs > utcMs);
  return targets[later < 0 ? targets.length - 1 : later - 1]?.[1] === '0';
}

/** One day of one database. */
interface DatabaseDay {
  /** A row that names it. */
  readonly of: ReadRow;
  /** Durations of those that began on the day. */
  readonly lengths: number[];
  turns: number;
  busy_us: number;
}

function addDatabaseDay(rows: LakeRows, head: Head, day: DatabaseDay): void {
  const { lengths, turns, busy_us } = day;
  const [database_id, database_name] = [day.of.database_id as number, day.of.database_name as string | null];
  const counts = new Map<number, number>(lengths.length === 0 ? [[0, 0]] : []);
  let [total_ms, longest_ms]: [number, number | null] = [0, null];
  for (const ms of lengths) {
    counts.set(findLength(ms), (counts.get(findLength(ms)) ?? 0) + 1);
    total_ms += ms;
    longest_ms = Math.max(longest_ms ?? 0, ms);
  }
  const last = Math.max(...counts.keys());
  for (const [at, checkpoints] of counts) {
    const length = { from_ms: at === 0 ? 0 : lengthAt(at - 1), to_ms: lengthAt(at), checkpoints };
    const totals: Parameters<typeof addRow>[1] = at === last ? { total_ms, longest_ms, turns, busy_us } : {};
    addRow(rows, { ...head, database_id, database_name, ...length, ...totals });
  }
}

/** Where the length begins that comes after the first `at` ones. */
const lengthAt = (at: number): number =>
  LENGTHS[at % LENGTHS.length]! * 10 ** Math.floor(at / LENGTHS.length);

/** How many lengths begin at that duration or before it. */
function findLength(ms: number): number {
  let at = 0;
  while (lengthAt(at) <= ms) at++;
  return at;
}
