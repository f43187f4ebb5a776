/** What the editor takes from a lake: its servers, ranked by what they suffer, and one of them as a capture. */
import type { CapturedDatabase } from '../core/capture/checkpoint-columns';
import type { KeptRecord } from '../core/capture/capture-record';
import type { Ledger } from '../core/capture/ledger';
import { t } from '../core/language';
import { GAP_KINDS, type Gap, type GapKind } from '../core/session/gap';
import { countRows, readDataFiles, type TableRows } from './data-files';
import { Lake } from './lake';
import type { TableName } from './tables';

/** One server of a lake, with sums over its newest runs. */
export interface RankedServer {
  readonly server: string;
  /** Share of the observed time in which the checkpoint task was busy, 0 to 1; null: nothing was observed, or it is not known which databases are automatic. */
  readonly busyShare: number | null;
  readonly longestMs: number | null;
  readonly databases: number | null;
  readonly automaticDatabases: number | null;
  /** The word of the last run; and when it was. */
  readonly outcome: string;
  readonly lastRunUtcMs: number;
}

const DAY_MS = 24 * 60 * 60_000;
/** The newest days that ranking and opening take. */
const DAYS_READ = 7;
/** More rows of one server are not opened at once. */
const MOST_ROWS = 4_000_000;

/** Servers with the busiest task first; those of which nothing is known last. @throws Error with one sentence */
export async function listServers(folder: string, signal: AbortSignal): Promise<readonly RankedServer[]> {
  const lake = await Lake.openToRead(folder);
  const runs = await readNewest(lake, 'runs', null, signal);
  const sums = new Map<string, { busyMs: number; observedMs: number; isKnown: boolean; longestMs: number | null; last: number }>();
  for (let at = 0; at < countRows(runs); at++) {
    const number = (name: string): number | null => (runs[name]?.[at] as number | null | undefined) ?? null;
    const server = String(runs.server?.[at]);
    const sum = sums.get(server) ?? { busyMs: 0, observedMs: 0, isKnown: false, longestMs: null, last: at };
    const [from, to, busyMs, longestMs] = [number('observed_from_utc'), number('observed_to_utc'), number('busy_ms'), number('longest_ms')];
    if (from !== null && to !== null && busyMs !== null) {
      sum.isKnown = true;
      sum.observedMs += to - from;
      sum.busyMs += busyMs;
    }
    if (longestMs !== null) sum.longestMs = Math.max(sum.longestMs ?? 0, longestMs);
    if (Number(runs.started_utc?.[at]) >= Number(runs.started_utc?.[sum.last])) sum.last = at;
    sums.set(server, sum);
  }
  return [...sums]
    .map(([server, { busyMs, observedMs, isKnown, longestMs, last }]): RankedServer => {
      const [databases, automaticDatabases] = ['databases', 'automatic_databases'].map((name) => findLast(runs, name, server));
      return {
        server,
        busyShare: isKnown && observedMs > 0 ? Math.min(1, busyMs / observedMs) : null,
        longestMs,
        databases: databases ?? null,
        automaticDatabases: automaticDatabases ?? null,
        outcome: String(runs.outcome?.[last]),
        lastRunUtcMs: Number(runs.started_utc?.[last]),
      };
    })
    .sort(
      (a, b) => (b.busyShare ?? -1) - (a.busyShare ?? -1) || (b.longestMs ?? -1) - (a.longestMs ?? -1) || (a.server < b.server ? -1 : 1),
    );
}

/** The value of the newest run of that server that has one. */
function findLast(runs: TableRows, name: string, server: string): number | null {
  let [found, foundMs] = [null as number | null, -Infinity];
  for (let at = 0; at < countRows(runs); at++) {
    const value = runs[name]?.[at];
    const atMs = Number(runs.started_utc?.[at]);
    if (runs.server?.[at] === server && typeof value === 'number' && atMs > foundMs) [found, foundMs] = [value, atMs];
  }
  return found;
}

/** One server as a saved capture: the newest days, with what it answered last. @throws Error with one sentence */
export async function readServer(folder: string, server: string, answersSection: string, signal: AbortSignal): Promise<KeptRecord> {
  const lake = await Lake.openToRead(folder);
  const [checkpoints, gaps, runs, answers] = [
    await readNewest(lake, 'checkpoints', server, signal),
    await readNewest(lake, 'gaps', server, signal),
    await readNewest(lake, 'runs', server, signal),
    await readNewest(lake, 'answers', server, signal),
  ];
  const stretches = listStretches(runs);
  const [first, last] = [stretches[0], stretches[stretches.length - 1]];
  if (first === undefined || last === undefined)
    throw new Error(t('The lake has no checkpoints of {0} in the last {1} days.', server, DAYS_READ));
  const databases: CapturedDatabase[] = [];
  const columns = createColumns(checkpoints, databases);
  const observation = {
    beginUtcMs: first.from,
    endUtcMs: Math.max(...stretches.map(({ to }) => to)),
    gaps: [...listGaps(gaps), ...listUnobserved(stretches)].sort((a, b) => a.beginUtcMs - b.beginUtcMs),
  };
  const newest = findNewestAnswers(answers);
  return {
    id: server,
    serverName: findServerName(runs),
    databases,
    observation,
    columns,
    ledger: addLedgers(runs, columns.rows),
    state: null,
    following: null,
    sections: newest === null ? [] : [{ name: answersSection, bytes: newest }],
  };
}

async function readNewest(lake: Lake, name: TableName, server: string | null, signal: AbortSignal): Promise<TableRows> {
  const { files } = await lake.table(name);
  const dates = [...new Set([...files.values()].map(({ partitionValues }) => partitionValues.date ?? ''))].sort();
  const newest = Date.parse(dates[dates.length - 1] ?? '');
  const wanted = [...files.values()].filter(
    ({ partitionValues }) => !(Date.parse(partitionValues.date ?? '') <= newest - DAYS_READ * DAY_MS),
  );
  return readDataFiles(lake.folder, name, wanted, { server, signal, mostRows: MOST_ROWS });
}

interface Stretch {
  readonly capture: string;
  readonly from: number;
  readonly to: number;
}

function listStretches(runs: TableRows): readonly Stretch[] {
  const found: Stretch[] = [];
  for (let at = 0; at < countRows(runs); at++) {
    const [from, to] = [runs.observed_from_utc?.[at], runs.observed_to_utc?.[at]];
    if (typeof from === 'number' && typeof to === 'number') found.push({ capture: String(runs.capture_id?.[at]), from, to });
  }
  return found.sort((a, b) => a.from - b.from);
}

/** Time between two captures, in which nobody recorded. */
function listUnobserved(stretches: readonly Stretch[]): readonly Gap[] {
  const gaps: Gap[] = [];
  let to = stretches[0]?.to ?? 0;
  for (const stretch of stretches) {
    if (stretch.from > to)
      gaps.push({ kind: 'unknown', beginUtcMs: to, endUtcMs: stretch.from, reason: t('Nothing was collected of this time.') });
    to = Math.max(to, stretch.to);
  }
  return gaps;
}

/** Of a gap that lasted, the latest end. */
function listGaps(rows: TableRows): readonly Gap[] {
  const byName = new Map<string, Gap>();
  for (let at = 0; at < countRows(rows); at++) {
    const [begin, end] = [Number(rows.begin_utc?.[at]), Number(rows.end_utc?.[at])];
    const kind = GAP_KINDS.find((each) => each === rows.kind?.[at]) ?? ('unknown' satisfies GapKind);
    const name = `${String(rows.capture_id?.[at])} ${kind} ${begin}`;
    if ((byName.get(name)?.endUtcMs ?? -Infinity) < end)
      byName.set(name, { kind, beginUtcMs: begin, endUtcMs: end, reason: String(rows.reason?.[at] ?? '') });
  }
  return [...byName.values()];
}

function createColumns(rows: TableRows, databases: CapturedDatabase[]): KeptRecord['columns'] {
  const order = Array.from({ length: countRows(rows) }, (_, at) => at).sort(
    (a, b) => Number(rows.end_utc?.[a]) - Number(rows.end_utc?.[b]),
  );
  const indexes = new Map<string, number>();
  const indexOf = (at: number): number => {
    const [databaseId, name] = [Number(rows.database_id?.[at]), (rows.database_name?.[at] as string | null) ?? null];
    const key = JSON.stringify([databaseId, name]);
    const index = indexes.get(key) ?? databases.push({ databaseId, name, createdLocal: null }) - 1;
    indexes.set(key, index);
    return index;
  };
  return {
    rows: order.length,
    beginUtcMs: Float64Array.from(order, (at) => Number(rows.begin_utc?.[at])),
    durationMs: Uint32Array.from(order, (at) => Number(rows.duration_ms?.[at])),
    database: Uint16Array.from(order, indexOf),
  };
}

function addLedgers(runs: TableRows, checkpoints: number): Ledger {
  const sum = (name: string): number => (runs[name] ?? []).reduce((total: number, value) => total + Number(value ?? 0), 0);
  const [unpaired, duplicates, malformed, other] = ['unpaired', 'duplicates', 'malformed', 'other_events'].map(sum) as [
    number,
    number,
    number,
    number,
  ];
  // Begins that wait for their end are the next run's.
  const rowsRead = 2 * checkpoints + unpaired + duplicates + malformed + other;
  return { rowsRead, checkpoints, unpaired, duplicates, malformed, other, otherByName: new Map(), open: 0, held: 0 };
}

function findServerName(runs: TableRows): string | null {
  return [...(runs.server_name ?? [])].reverse().find((name): name is string => typeof name === 'string') ?? null;
}

function findNewestAnswers(rows: TableRows): Uint8Array | null {
  let [found, foundMs] = [null as Uint8Array | null, -Infinity];
  for (let at = 0; at < countRows(rows); at++) {
    const atMs = Number(rows.read_utc?.[at]);
    if (atMs > foundMs) [found, foundMs] = [rows.answers?.[at] as Uint8Array, atMs];
  }
  return found;
}
