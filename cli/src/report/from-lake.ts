/** What a report says of servers that are not asked: by what the lake has of them. */
import { cpus } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { PolicyInForce } from '../../../src/core/advice/policy';
import { Capture } from '../../../src/core/capture/capture';
import { keepRecord, type KeptRecord } from '../../../src/core/capture/capture-record';
import { FINE, type Outcome } from '../../../src/lake/tables';
import { compareBytes, nameDate } from '../../../src/lake/data-files';
import { Lake } from '../../../src/lake/lake';
import { ANSWERS_SECTION } from '../../../src/monitor/queries/recorded-answers';
import { openRecord } from '../../../src/monitor/recorded-server';
import { readStates, readStoredCaptures, shareServers, visitRows } from '../look/stored-captures';
import type { TellProblem } from '../kit/output';
import { surroundRecord } from '../servers/watching';
import {
  describeServer,
  judgedBy,
  keepWorst,
  type JudgedServer,
  type ReportedServer,
  type SummedDay,
} from './reported-server';
import { addToList } from '../../../src/core/lists';
import { formatCount, formatDuration } from '../../../src/core/format';
import { DAY_MS, MINUTE_MS } from '../../../src/core/time';

const RUN_COLUMNS = ['server', 'started_utc', 'outcome', 'reason', 'server_name'];

/** Servers whose checkpoints are in memory at once: neighbours in the files, which are sorted by server. */
const SERVERS_AT_ONCE = 10;
/** For fewer, no other thread is begun. */
const SERVERS_A_THREAD = 20;
/** Each needs about 200 MB. */
const MOST_THREADS = 2;
/** With a bound, what is not needed any more is collected sooner: 470 MB in all for 33.6 million checkpoints. */
const LIMITS = { maxYoungGenerationSizeMb: 32, maxOldGenerationSizeMb: 1_024 };

type Runs = ReturnType<typeof beginRuns>;
type Run = { readonly startedUtcMs: number; readonly outcome: Outcome; readonly reason: string | null };

const beginRuns = () => ({
  last: null as Run | null,
  /** When it was last read; null: not in these days. */
  readUtcMs: null as number | null,
  /** When it was read whole. */
  reads: [] as number[],
  /** How often each came of it. */
  tries: {} as Partial<Record<Outcome, number>>,
});

/**
 * @param folders of lakes
 * @param report is told of each server that cannot be read of its lake
 * @param tell is told how many are judged, and of how many
 */
export async function describeLakes(
  folders: readonly string[],
  days: number,
  inForce: PolicyInForce,
  report: TellProblem,
  tell: (done: number, all: number) => void,
): Promise<readonly ReportedServer[]> {
  const said = new Set<string>();
  // What is told of the lake comes with each part of it.
  const once: TellProblem = (server, problem) => {
    if (!said.has(server + problem)) report(server, problem);
    said.add(server + problem);
  };
  const shares = await shareServers(folders, once);
  const known = new Set([...shares.values()].flatMap((share) => [...share]));
  let servers: readonly ReportedServer[] = [];
  const take = (some: readonly ReportedServer[]): void => {
    servers = keepWorst([...servers, ...some]);
    tell(servers.length, known.size);
  };
  tell(0, known.size);
  for (const [lake, share] of shares) {
    const [runs, sums] = [await readRuns(lake, days, once), await readSums(lake, once)];
    const names = [...share, ...[...runs.keys()].filter((name) => !known.has(name))].sort(compareBytes);
    for (const name of names) known.add(name);
    const grounds = { folder: lake.folder, runs, sums, days, inForce };
    const threads = Math.max(
      1,
      Math.min(MOST_THREADS, cpus().length, Math.ceil(names.length / SERVERS_A_THREAD)),
    );
    const most = Math.ceil(names.length / threads);
    const parts = Array.from({ length: threads }, (_, at) => names.slice(at * most, (at + 1) * most));
    const describe = threads > 1 ? describeInThread : describeShare;
    await Promise.all(parts.map((part) => describe({ ...grounds, names: part }, once, take)));
  }
  return servers;
}

type Take = (servers: readonly ReportedServer[]) => void;

/** Servers of one lake, some at a time. */
async function describeShare({ names, ...grounds }: Share, report: TellProblem, take: Take): Promise<void> {
  const lake = await Lake.openToRead(grounds.folder);
  for (let at = 0; at < names.length; at += SERVERS_AT_ONCE)
    take(await describeSome(lake, names.slice(at, at + SERVERS_AT_ONCE), grounds, report));
}

/** What a thread says: servers that it is done with, or a problem of one. */
type Said = readonly ReportedServer[] | Parameters<TellProblem>;

function describeInThread(share: Share, report: TellProblem, take: Take): Promise<void> {
  return new Promise((resolve, reject) => {
    const thread = new Worker(__filename, { workerData: share, resourceLimits: LIMITS });
    let left = share.names.length;
    thread.on('message', (said: Said) => {
      if (isProblem(said)) return report(...said);
      left -= said.length;
      take(said);
    });
    thread.on('error', reject);
    // A part of the servers is no report.
    thread.on('exit', (code) =>
      left === 0 ? resolve() : reject(new Error(`A thread of this report ended too early (${code}).`)),
    );
  });
}

const isProblem = (said: Said): said is Parameters<TellProblem> => typeof said[0] === 'string';

/** Another thread begins with the same file, and does only this. */
if (!isMainThread && (workerData as Partial<Share> | null)?.names !== undefined) {
  const say = (said: Said): void => parentPort?.postMessage(said);
  void describeShare(workerData as Share, (...problem) => say(problem), say);
}

interface Grounds {
  readonly folder: string;
  readonly runs: ReadonlyMap<string, Runs>;
  readonly sums: ReadonlyMap<string, readonly SummedDay[]>;
  readonly days: number;
  readonly inForce: PolicyInForce;
}

interface Share extends Grounds {
  readonly names: readonly string[];
}

async function describeSome(
  lake: Lake,
  names: readonly string[],
  { runs, sums, days, inForce }: Grounds,
  report: TellProblem,
): Promise<readonly ReportedServer[]> {
  const unread = new Map<string, string>();
  const note: TellProblem = (server, problem) => {
    unread.set(server, problem);
    report(server, problem);
  };
  const captures = await readStoredCaptures(lake, await readStates(lake, new Set(names), note), days, note);
  const answers = await readAnswers(lake, new Set(names), report);
  const described: ReportedServer[] = [];
  for (const name of names) {
    const { last, readUtcMs, reads, tries } = runs.get(name) ?? beginRuns();
    const capture = captures.get(name) ?? null;
    const problem = unread.get(name);
    // Without its evidence "nothing seen" would be untrue.
    const judged =
      capture === null && problem !== undefined
        ? null
        : await judge(name, capture, answers.get(name)?.bytes ?? null, inForce);
    const seenUtcMs = readUtcMs ?? capture?.observation?.endUtcMs ?? answers.get(name)?.readUtcMs ?? null;
    const trouble =
      problem !== undefined
        ? `Its evidence could not be fully read: ${problem}`
        : last === null
          ? `${tries['left out'] === undefined ? 'No run' : 'Only runs that left it to another'} in the last ${days} days.`
          : (describeTrouble(last) ?? describeLateness(reads));
    const known = judged && describeServer(judged);
    const rest = { days: sums.get(name) ?? [], collecting: describeCollecting(tries) };
    described.push({ name, seenUtcMs, trouble, known, picture: judged, ...rest });
  }
  return described;
}

/** By server, what it answered last. */
type Answers = ReadonlyMap<string, { readonly readUtcMs: number; readonly bytes: Uint8Array }>;

async function readAnswers(lake: Lake, servers: ReadonlySet<string>, report: TellProblem): Promise<Answers> {
  const answers = new Map<string, { readonly readUtcMs: number; readonly bytes: Uint8Array }>();
  const columns = ['server', 'read_utc', 'answers'];
  const dates = (await lake.listFiles('answers')).map(({ partitionValues: { date = '' } }) => date);
  // The newest day of a server has its newest answer.
  for (const date of [...new Set(dates)].sort().reverse()) {
    const missing = new Set([...servers].filter((server) => !answers.has(server)));
    if (missing.size === 0) break;
    await visitRows(lake, 'answers', new Set([date]), { columns, servers: missing }, report, (row) => {
      const [server, readUtcMs] = [row.server as string, row.read_utc as number];
      if ((answers.get(server)?.readUtcMs ?? -Infinity) < readUtcMs)
        answers.set(server, { readUtcMs, bytes: row.answers as Uint8Array });
    });
  }
  return answers;
}

/** As many days are in the tables of weeks. */
const SUMMED_DAYS = 91;

async function readSums(lake: Lake, report: TellProblem): Promise<ReadonlyMap<string, readonly SummedDay[]>> {
  const sums = new Map<string, Sum[]>();
  // An earlier version made the lake.
  if ((await lake.log('server_days').read()) === null) return new Map();
  await visitRows(lake, 'server_days', listDates(SUMMED_DAYS), {}, report, (row) =>
    addToList(sums, row.server as string, { ...row } as Sum),
  );
  return new Map([...sums].map(([server, own]) => [server, chooseSums(own)]));
}

type Sum = Readonly<Record<'day_utc' | 'observed_us' | 'checkpoint_rows', number>> & {
  readonly busy_us: number | null;
};

/** In order. Of several sums of a day, the one that knows most, as the view `summed` of analysis/views.sql chooses it. */
function chooseSums(sums: Sum[]): readonly SummedDay[] {
  return sums
    .sort(
      (a, b) =>
        a.day_utc - b.day_utc ||
        b.observed_us - a.observed_us ||
        Number(a.busy_us === null) - Number(b.busy_us === null) ||
        b.checkpoint_rows - a.checkpoint_rows,
    )
    .filter(({ day_utc }, at, all) => day_utc !== all[at - 1]?.day_utc)
    .map(({ day_utc, observed_us, busy_us }) => ({
      beginUtcMs: day_utc,
      observedMs: observed_us / 1_000,
      busyMs: busy_us === null ? null : busy_us / 1_000,
    }));
}

const listDates = (days: number): ReadonlySet<string> =>
  new Set(Array.from({ length: days + 1 }, (_, day) => nameDate(Date.now() - day * DAY_MS)));

function describeTrouble({ outcome, reason }: Run): string | null {
  return FINE.has(outcome) ? null : `Last run: ${outcome}${reason === null ? '.' : `. ${reason}`}`;
}

/** So much later than usual is no chance. */
const LATE = { times: 3, leastMs: 10 * MINUTE_MS };

/** null: it is read as often as usual. */
function describeLateness(reads: readonly number[]): string | null {
  const sorted = [...reads].sort((a, b) => a - b);
  const intervals = sorted.slice(1).map((atMs, before) => atMs - sorted[before]!);
  const usualMs = intervals.sort((a, b) => a - b)[Math.floor(intervals.length / 2)];
  const sinceMs = Date.now() - (sorted.pop() ?? Infinity);
  if (sinceMs <= Math.max(LATE.leastMs, LATE.times * (usualMs ?? DAY_MS))) return null;
  const usual = usualMs === undefined ? '' : `, usually every ${formatDuration(usualMs)}`;
  return `Late: last read ${formatDuration(sinceMs)} ago${usual}.`;
}

function describeCollecting(tries: Runs['tries']): string | null {
  const all = Object.values(tries).reduce((sum, count) => sum + count, 0);
  const parts = [
    ...(tries['in part'] === undefined ? [] : [`${formatCount(tries['in part'])} read only a part of it`]),
    ...(tries['left out'] === undefined ? [] : [`${formatCount(tries['left out'])} left it to another run`]),
  ];
  return parts.length === 0 ? null : `Of ${formatCount(all)} runs, ${parts.join(', ')}.`;
}

async function readRuns(lake: Lake, days: number, report: TellProblem): Promise<ReadonlyMap<string, Runs>> {
  const runs = new Map<string, Runs>();
  await visitRows(lake, 'runs', listDates(days), { columns: RUN_COLUMNS }, report, (row) => {
    const [startedUtcMs, outcome] = [row.started_utc as number, row.outcome as Outcome];
    const own = runs.get(row.server as string) ?? beginRuns();
    runs.set(row.server as string, own);
    if (startedUtcMs >= (own.last?.startedUtcMs ?? -Infinity) && outcome !== 'left out')
      own.last = { startedUtcMs, outcome, reason: (row.reason ?? null) as string | null };
    if (row.server_name != null) own.readUtcMs = Math.max(own.readUtcMs ?? startedUtcMs, startedUtcMs);
    if (FINE.has(outcome)) own.reads.push(startedUtcMs);
    own.tries[outcome] = (own.tries[outcome] ?? 0) + 1;
  });
  return runs;
}

/**
 * As the editor opens a saved capture: every read is answered by what the server answered then. null: nothing is known
 * of it.
 */
async function judge(
  name: string,
  kept: KeptRecord | null,
  answers: Uint8Array | null,
  inForce: PolicyInForce,
): Promise<JudgedServer | null> {
  const stored = kept ?? keepRecord(new Capture(name), { serverName: null, following: null, sections: [] });
  const section = answers === null ? [] : [{ name: ANSWERS_SECTION, bytes: answers }];
  // It does not go on: there is no session to read.
  const record = { ...stored, state: null, following: null, sections: [...stored.sections, ...section] };
  const monitor = openRecord(record, surroundRecord(inForce), { id: name, label: name });
  try {
    await monitor.look('now');
    return judgedBy(monitor);
  } finally {
    await monitor.dispose();
  }
}
