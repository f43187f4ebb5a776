/** What the editor takes from a lake: its servers, ranked by what they suffer, and one of them as a capture. */
import type { CapturedDatabase } from '../core/capture/checkpoint-columns';
import type { KeptRecord } from '../core/capture/capture-record';
import { CheckpointStore } from '../core/capture/checkpoint-store';
import { formatCount } from '../core/format';
import { t } from '../core/language';
import type { LostFilesError, Wanted } from './data-files';
import { Lake } from './lake';
import { ALWAYS, GAP_COLUMNS, numberOf, OBSERVED, ObservedTime } from './observed';
import type { ReadRow } from './parquet-file';
import { OUTCOMES, type Outcome, type TableName } from './tables';
import { DAY_MS } from '../core/time';

/** One server of a lake, with sums over its newest runs. */
export interface RankedServer {
  readonly server: string;
  readonly folder: string;
  /** Another lake has it too, which read it earlier: what that has does not count. */
  readonly isElsewhere: boolean;
  /**
   * Share of the observed time in which the checkpoint task was busy, 0 to 1; null: nothing was observed, or it is not
   * known which databases are automatic.
   */
  readonly busyShare: number | null;
  readonly longestMs: number | null;
  /** User databases at the last run that saw them, and how many of them are automatic; null: none did. */
  readonly databases: number | null;
  readonly automaticDatabases: number | null;
  /** Of the last run; null: a word that a later version wrote. */
  readonly outcome: Outcome | null;
}

/** The newest days that ranking and opening take. */
const DAYS_READ = 7;
/** More checkpoints of one server are not opened at once. */
const MOST_ROWS = 4_000_000;

type Sum = ReturnType<typeof beginSum>;

const beginSum = () => ({
  busyMs: 0,
  /** By capture, what was observed by the runs of which it is known how busy the task was. */
  observed: new Map<string, ObservedTime>(),
  longestMs: null as number | null,
  databases: null as number | null,
  automaticDatabases: null as number | null,
  countedMs: -Infinity,
  outcome: null as Outcome | null,
  lastMs: -Infinity,
});

/**
 * Servers of several lakes as one, with the busiest task first; those of which nothing is known last.
 * @throws Error with one sentence
 */
export async function listServers(
  folders: readonly string[],
  signal: AbortSignal,
): Promise<readonly RankedServer[]> {
  const ranked = new Map<string, RankedServer & Pick<Sum, 'countedMs' | 'lastMs'>>();
  for (const folder of folders)
    for (const [server, sum] of await sumRuns(folder, signal)) {
      const { busyMs, observed, ...figures } = sum;
      const before = ranked.get(server);
      // One that reached it counts, and of several the last.
      const isBefore = before && (before.countedMs - sum.countedMs || before.lastMs - sum.lastMs) > 0;
      const observedMs = [...observed.values()].reduce((all, each) => all + each.measure(), 0);
      const busyShare = observedMs > 0 ? Math.min(1, busyMs / observedMs) : null;
      const one = isBefore === true ? before : { server, folder, busyShare, ...figures };
      ranked.set(server, { ...one, isElsewhere: before !== undefined });
    }
  return [...ranked.values()].sort(
    (a, b) =>
      compareKnown(a.busyShare, b.busyShare) ||
      compareKnown(a.longestMs, b.longestMs) ||
      (a.server < b.server ? -1 : 1),
  );
}

async function sumRuns(folder: string, signal: AbortSignal): Promise<ReadonlyMap<string, Sum>> {
  const lake = await Lake.openToRead(folder);
  const sums = new Map<string, Sum>();
  const figures = ['busy_ms', 'longest_ms', 'databases', 'automatic_databases'];
  const columns = ['server', 'started_utc', 'outcome', 'capture_id', ...OBSERVED, ...figures];
  await visitSince(lake, 'runs', await findRunsBegin(lake), { columns, signal }, (run) => {
    const server = String(run.server);
    const sum = sums.get(server) ?? beginSum();
    sums.set(server, sum);
    addRun(sum, run);
  });
  await visitSince(lake, 'gaps', ALWAYS.beginUtcMs, { columns: ['server', ...GAP_COLUMNS], signal }, (row) =>
    sums.get(String(row.server))?.observed.get(String(row.capture_id))?.addGap(row),
  );
  return sums;
}

/** Runs come in any order. */
function addRun(sum: Sum, run: ReadRow): void {
  // A run by a clock that was ahead is not the newest.
  const startedMs = Number(run.started_utc) > Date.now() + DAY_MS ? -Infinity : Number(run.started_utc);
  const busyMs = numberOf(run.busy_ms);
  const longestMs = numberOf(run.longest_ms);
  if (busyMs !== null) {
    sum.busyMs += busyMs;
    const captureId = String(run.capture_id);
    const observed = sum.observed.get(captureId) ?? new ObservedTime();
    sum.observed.set(captureId, observed.addRun(run));
  }
  if (longestMs !== null) sum.longestMs = Math.max(sum.longestMs ?? 0, longestMs);
  if (startedMs >= sum.lastMs && run.outcome !== 'left out') {
    sum.lastMs = startedMs;
    sum.outcome = OUTCOMES.find((each) => each === run.outcome) ?? null;
  }
  if (run.databases != null && startedMs >= sum.countedMs) {
    sum.countedMs = startedMs;
    [sum.databases, sum.automaticDatabases] = [numberOf(run.databases), numberOf(run.automatic_databases)];
  }
}

/** The larger first; what is not known last. */
const compareKnown = (a: number | null, b: number | null): number => (b ?? -1) - (a ?? -1);

/** Visits the rows of one server, of the days from that moment on. */
type Visit = (
  name: TableName,
  fromUtcMs: number,
  columns: readonly string[],
  take: (row: ReadRow) => void,
  lost?: Wanted['lost'],
) => Promise<void>;

/** One server as a saved capture: its newest days, with what it answered last. @throws Error with one sentence */
export async function readServer(
  folder: string,
  server: string,
  answersSection: string,
  signal: AbortSignal,
): Promise<KeptRecord> {
  const lake = await Lake.openToRead(folder);
  const runs = new RunSums();
  const wanted = { servers: new Set([server]), signal, outside: () => void runs.outside++ };
  const visit: Visit = (name, fromUtcMs, columns, take, lost) =>
    visitSince(lake, name, fromUtcMs, { ...wanted, columns, ...(lost && { lost }) }, take);
  const columns = [...OBSERVED, 'started_utc', 'server_name', ...LEDGER];
  await visit('runs', await findRunsBegin(lake), columns, (run) => runs.take(run));
  const span = runs.observed.span();
  if (span === null)
    throw new Error(t('The lake has no checkpoints of {0} in the last {1} days.', server, DAYS_READ));
  // By the clock of the server, which may be another than ours.
  const { beginUtcMs } = span;
  const { observed } = runs;
  const { store, databases } = await readCheckpoints(visit, beginUtcMs, (lost) => observed.addLost(lost));
  // A gap may have begun long before.
  await visit('gaps', ALWAYS.beginUtcMs, GAP_COLUMNS, (row) => observed.addGap(row));
  const answers = await readAnswers(visit, beginUtcMs);
  return {
    id: server,
    serverName: runs.serverName,
    databases,
    observation: { ...span, gaps: observed.listGaps() },
    columns: store.columns(),
    ledger: runs.addLedgers(store.count),
    state: null,
    following: null,
    sections: answers === null ? [] : [{ name: answersSection, bytes: answers }],
  };
}

async function readCheckpoints(visit: Visit, beginUtcMs: number, lost: (lost: LostFilesError) => void) {
  const store = new CheckpointStore();
  /** In the order in which they come, by id and name. */
  const indexes = new Map<string, number>();
  const columns = ['database_id', 'database_name', 'begin_utc', 'duration_ms'];
  const most = formatCount(MOST_ROWS);
  const take = ({ database_id, database_name, begin_utc, duration_ms }: ReadRow): void => {
    const [begin, durationMs] = [Number(begin_utc), Number(duration_ms)];
    // Files are cut by days: those that ended earlier are of runs that are not read.
    if (begin + durationMs <= beginUtcMs) return;
    if (store.count === MOST_ROWS)
      throw new Error(t('There are more than {0} rows. Use an engine that reads Parquet instead.', most));
    const key = JSON.stringify([database_id, database_name]);
    let index = indexes.get(key);
    if (index === undefined) indexes.set(key, (index = indexes.size));
    store.append(begin, durationMs, index);
  };
  await visit('checkpoints', beginUtcMs - DAY_MS, columns, take, lost);
  store.trim();
  const databases = [...indexes.keys()].map((key): CapturedDatabase => {
    const [id, name] = JSON.parse(key) as readonly [number | null, string | null];
    return { databaseId: Number(id), name, createdLocal: null };
  });
  return { store, databases };
}

/** What the server answered last; null: nothing. */
async function readAnswers(visit: Visit, beginUtcMs: number): Promise<Uint8Array | null> {
  let answers: Uint8Array | null = null;
  let newestUtcMs = -Infinity;
  await visit('answers', beginUtcMs, ['read_utc', 'answers'], (row) => {
    if (!(Number(row.read_utc) > newestUtcMs)) return;
    newestUtcMs = Number(row.read_utc);
    answers = row.answers as Uint8Array | null;
  });
  return answers;
}

/** Since when the newest runs began, by the clock of the collectors. One whose clock was ahead hides no other. */
async function findRunsBegin(lake: Lake): Promise<number> {
  const files = await lake.listFiles('runs');
  const days = files.map(({ partitionValues: { date = '' } }) => Date.parse(date));
  const past = days.filter((day) => day <= Date.now() + DAY_MS);
  return Math.max(...(past.length > 0 ? past : days)) - (DAYS_READ - 1) * DAY_MS;
}

async function visitSince(
  lake: Lake,
  name: TableName,
  fromUtcMs: number,
  wanted: Wanted,
  visit: (row: ReadRow) => void,
): Promise<void> {
  const isSince = (date: string): boolean => Date.parse(date) + DAY_MS > fromUtcMs;
  await lake.visit(name, visit, { outside: () => undefined, ...wanted }, isSince);
}

const LEDGER = ['unpaired', 'duplicates', 'malformed', 'other_events'] as const;

class RunSums {
  serverName: string | null = null;
  /** Rows of the lake that are left out, because they are at no time that there is. They count as malformed. */
  outside = 0;
  readonly observed = new ObservedTime();
  private namedMs = -Infinity;
  private readonly sums = { unpaired: 0, duplicates: 0, malformed: 0, other_events: 0 };

  take(run: ReadRow): void {
    this.observed.addRun(run);
    for (const name of LEDGER) this.sums[name] += numberOf(run[name]) ?? 0;
    if (typeof run.server_name !== 'string' || Number(run.started_utc) < this.namedMs) return;
    this.serverName = run.server_name;
    this.namedMs = Number(run.started_utc);
  }

  /** Begins that wait for their end are the next run's. */
  addLedgers(checkpoints: number): KeptRecord['ledger'] {
    const { unpaired, duplicates, other_events: other } = this.sums;
    const malformed = this.sums.malformed + this.outside;
    const rowsRead = 2 * checkpoints + unpaired + duplicates + malformed + other;
    const none = { otherByName: new Map<string, number>(), open: 0, held: 0 };
    return { rowsRead, checkpoints, unpaired, duplicates, malformed, other, ...none };
  }
}
