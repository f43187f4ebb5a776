/**
 * Sums of days that are over, by server and by database: what long questions read in place of checkpoints, also when
 * those are forgotten. `analysis/views.sql` computes the same of a day without sums; a test holds both equal.
 */
import { randomUUID } from 'node:crypto';
import {
  addRow,
  compareBytes,
  countRowsOf,
  createRows,
  type LakeRows,
  nameDate,
  visitDataFiles,
} from './data-files';
import type { Lake } from './lake';
import { GAP_COLUMNS, OBSERVED, ObservedTime, unite } from './observed';
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
const DAY_US = DAY_MS * 1_000;

const toMicros = (ms: number): number => Math.round(ms * 1_000);

/**
 * Sums up each day of each server before `today` that has no sums, or of which more is known now. Sums are only ever
 * added: of several, views take the one that knows most.
 * @returns how many days
 * @throws LostFilesError
 */
export async function sumDays(lake: Lake, today: string): Promise<number> {
  const isUnchanged = await watchFiles(lake);
  const grounds = await readGrounds(lake);
  let days = 0;
  for (const [date, servers] of await listDue(lake, today, grounds)) {
    const sums = { server_days: createRows('server_days'), database_days: createRows('database_days') };
    for (let at = 0; at < servers.length; at += SERVERS_AT_ONCE)
      await sumServers(lake, servers.slice(at, at + SERVERS_AT_ONCE), Date.parse(date), sums);
    // What was forgotten meanwhile would look calm.
    if (!(await isUnchanged())) break;
    await lake.note(sums);
    days++;
  }
  return days;
}

/** Tells whether all files that were there are there still. */
async function watchFiles(lake: Lake): Promise<() => Promise<boolean>> {
  const list = async (): Promise<readonly string[]> => {
    const paths: string[] = [];
    for (const table of ['runs', 'gaps', 'facts', 'checkpoints'] as const)
      for (const { path } of await lake.listFiles(table)) paths.push(`${table}/${path}`);
    return paths;
  };
  const before = await list();
  return async () => {
    const now = new Set(await list());
    return before.every((path) => now.has(path));
  };
}

/** By date, in order, the servers to sum up. */
async function listDue(lake: Lake, today: string, grounds: readonly Grounds[]) {
  const known = new Map<string, ReadRow[]>();
  await lake.visit('server_days', (row) =>
    addToList(known, `${row.day_utc as number} ${row.server as string}`, { ...row }),
  );
  const summedRows = new Map<string, number>();
  for (const sums of known.values()) {
    const date = nameDate(sums[0]!.day_utc as number);
    const most = Math.max(...sums.map((row) => row.checkpoint_rows as number));
    summedRows.set(date, (summedRows.get(date) ?? 0) + most);
  }
  const due = new Map<string, Grounds[]>();
  const files = await lake.listFiles('checkpoints', (date) => date < today);
  const dates = new Set(files.map(({ partitionValues: { date = '' } }) => date));
  for (const { observed } of grounds)
    for (const [dayUs] of cutAtDays(observed)) dates.add(nameDate(dayUs / 1_000));
  for (const date of [...dates].filter((each) => each < today).sort()) {
    const dayUtcMs = Date.parse(date);
    const ofDay = files.filter(({ partitionValues }) => partitionValues.date === date);
    const there = ofDay.reduce((sum, file) => sum + countRowsOf(file), 0);
    const counts = new Map<string, number>();
    const count = ({ server }: ReadRow): unknown =>
      counts.set(server as string, (counts.get(server as string) ?? 0) + 1);
    if (there > (summedRows.get(date) ?? 0))
      await visitDataFiles(lake.folder, 'checkpoints', ofDay, count, { columns: ['server'] });
    for (const one of grounds) {
      const seen = measureDay(one, dayUtcMs);
      const isKnown = (row: ReadRow): boolean =>
        Number(row.observed_us) >= seen.observed_us &&
        Number(row.watched_us) >= seen.watched_us &&
        Number(row.checkpoint_rows) >= (counts.get(one.server) ?? 0) &&
        (row.busy_us !== null || !one.areTargetsSeen);
      const before = known.get(`${dayUtcMs} ${one.server}`) ?? [];
      const isLate = dayUtcMs + LATE_DAYS * DAY_MS < Date.parse(today);
      const isWhole = one.areTargetsSeen && one.endUs >= toMicros(dayUtcMs + DAY_MS + PATIENCE_MS);
      const isThere = seen.observed_us > 0 || counts.has(one.server);
      if (isThere && (isLate || isWhole) && !before.some(isKnown)) addToList(due, date, one);
    }
  }
  return due;
}

/** Cuts pieces at the days: the begin of the day and both ends, in microseconds. */
function* cutAtDays(
  pieces: readonly number[],
): Iterable<readonly [dayUs: number, fromUs: number, toUs: number]> {
  for (let at = 0; at < pieces.length; at += 2)
    for (let from = pieces[at]!, to; from < pieces[at + 1]!; from = to) {
      const day = from - (from % DAY_US);
      to = Math.min(pieces[at + 1]!, day + DAY_US);
      yield [day, from, to];
    }
}

/** What of a day runs watched, and what of that was observed: whole microseconds. */
function measureDay({ meter, watched, watchedMeter }: Grounds, dayUtcMs: number) {
  const [from, to] = [dayUtcMs * 1_000, (dayUtcMs + DAY_MS) * 1_000];
  const observed_us = meter(to) - meter(from);
  const watched_us = watched.get(from) ?? 0;
  return { observed_us, watched_us, gap_us: watchedMeter(to) - watchedMeter(from) - observed_us };
}

/** What tells of one server which checkpoints count, and as what. */
interface Grounds {
  readonly server: string;
  readonly captures: ReadonlyMap<string, ObservedTime>;
  /** Pieces of observed time, in microseconds: sums of them are exact. */
  readonly observed: readonly number[];
  /** Microseconds of them, and of the time that runs watched, before a moment. */
  readonly meter: (us: number) => number;
  readonly watchedMeter: (us: number) => number;
  /** By the begin of a day, microseconds that runs watched of it: two of them may have watched at once. */
  readonly watched: ReadonlyMap<number, number>;
  /** The last moment that was observed. */
  readonly endUs: number;
  /** By database, in order. */
  readonly targets: ReadonlyMap<string, readonly Target[]>;
  /** Whether it was ever seen which databases are automatic. */
  readonly areTargetsSeen: boolean;
}

/** A target recovery time, and when it was first seen. */
type Target = readonly [seenUtcMs: number, seconds: string | null];

const nameDatabase = ({ database_id, database_name }: ReadRow): string =>
  JSON.stringify([database_id, database_name]);

/** In the order of the files. */
async function readGrounds(lake: Lake): Promise<readonly Grounds[]> {
  const servers = new Map<string, { captures: Map<string, ObservedTime>; targets: Map<string, Target[]> }>();
  const visit = async (
    table: TableName,
    columns: readonly string[],
    take: (row: ReadRow) => void,
  ): Promise<void> => {
    await lake.visit(table, take, { columns: ['server', ...columns], outside: () => undefined });
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
      const observed = unite([...captures.values()].map((time) => time.pieces())).map(toMicros);
      const stretches = [...captures.values()].flatMap((time) =>
        time.listStretches().map(({ beginUtcMs, endUtcMs }) => [toMicros(beginUtcMs), toMicros(endUtcMs)]),
      );
      const watched = new Map<number, number>();
      for (const stretch of stretches)
        for (const [dayUs, from, to] of cutAtDays(stretch))
          watched.set(dayUs, (watched.get(dayUs) ?? 0) + to - from);
      const meterOf = (pieces: readonly number[]) => createPieceMeter(Float64Array.from(pieces));
      const watchedMeter = meterOf(unite(stretches));
      const areTargetsSeen = [...targets.values()].flat().some(([, seconds]) => seconds !== null);
      const endUs = observed[observed.length - 1] ?? 0;
      return {
        server,
        captures,
        observed,
        meter: meterOf(observed),
        watched,
        watchedMeter,
        endUs,
        targets,
        areTargetsSeen,
      };
    });
}

/** A checkpoint that counts; times in microseconds. */
interface Sound {
  readonly beginUs: number;
  readonly endUs: number;
  readonly row: ReadRow;
}

const DATABASE = ['database_id', 'database_name'];
const CHECKPOINT = ['server', 'capture_id', ...DATABASE, 'begin_utc', 'end_utc', 'duration_ms', 'is_system'];

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
    const busy_us = sumServer(grounds, sound, head, sums.database_days);
    addRow(sums.server_days, { ...head, ...measureDay(grounds, dayUtcMs), busy_us, checkpoint_rows });
  }
}

/** What each row of one server and day begins with. */
type Head = Readonly<Record<'server' | 'sum_id', string> & Record<'day_utc', number>>;

/** Adds the rows of each database. @returns how busy the task was; null: which databases are automatic is not known */
function sumServer(
  { meter, targets, areTargetsSeen }: Grounds,
  sound: Sound[],
  head: Head,
  databaseDays: LakeRows,
): number | null {
  const [fromUs, toUs] = [head.day_utc * 1_000, (head.day_utc + DAY_MS) * 1_000];
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
    const isTurn = one.row.is_system !== 0 && isAutomatic(targets.get(key) ?? [], one.beginUs / 1_000);
    if (isTurn) day.busy_us += take(key, one);
    if (isTurn) busy_us += take('', one);
    if (one.beginUs < fromUs) continue;
    day.lengths.push(one.row.duration_ms as number);
    if (isTurn) day.turns++;
  }
  for (const day of databases.values())
    if (day.lengths.length + day.busy_us > 0) addDatabaseDay(databaseDays, head, day);
  return areTargetsSeen ? busy_us : null;
}

/** Until a target is seen, what was seen first holds. */
function isAutomatic(targets: readonly Target[], utcMs: number): boolean {
  const later = targets.findIndex(([seenUtcMs], at) => at > 0 && seenUtcMs > utcMs);
  return targets[later < 0 ? targets.length - 1 : later - 1]?.[1] === '0';
}

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
