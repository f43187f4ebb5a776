/** One run over one server: connects, reads what is new, and lets go. It starts, changes and stops no session. */
import type { Facts } from '../../../src/core/advice/facts';
import { describeUnread } from '../../../src/core/advice/rules/preflight';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import type { Observation } from '../../../src/core/capture/checkpoint-columns';
import type { TimeWindow } from '../../../src/core/statistics/observed-time';
import { finishSteps } from '../../../src/core/steps';
import type { ServerAccess } from '../../../src/hosts/host';
import { addRow, countRows, createRows, type LakeRows } from '../../../src/lake/data-files';
import type { Harvest, KnownState } from '../../../src/lake/lake';
import { FINE, type Outcome, type TableName } from '../../../src/lake/tables';
import { AnswerRecorder } from '../../../src/monitor/queries/recorded-answers';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { TIME_OVER } from '../kit/at-once';
import { countQueries, type QueryCost } from '../servers/query-cost';
import type { ReachedServer } from '../servers/reaching';
import { waitForAbort, watchServer } from '../servers/watching';
import { type Along, askAlong, type AlongWanted, harvestAlong } from './along';
import { type Attempts, findHold, type Insistence, nameAttempt, noteAttempt } from './attempts';
import { countRun, harvestCheckpoints, harvestGaps, listChangedFacts, summarizeRun } from './harvest';
import type { Recording, RunCounts } from './harvest';
import { ServerHistory, type LakeHistory } from './history';
import { cutBegin, encodeState, lightenCapture, type CollectState } from './server-state';
import { DAY_MS } from '../../../src/core/time';

export type RunWorld = ReachedServer['world'] & {
  readonly nowMs: () => number;
  /** Absent: on nothing. */
  readonly insistence?: Insistence;
  /** Absent: neither. */
  readonly along?: AlongWanted;
};

export interface ServerRun {
  readonly harvest: Harvest;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly counts: RunCounts | null;
}

/**
 * Never throws because of the server. @param states how to go on: the newest first; none at the first run
 * @param signal aborted with TIME_OVER when the time of the server is over, or because the whole is to end
 */
export async function runServer(
  server: string,
  runId: string,
  access: ServerAccess,
  lake: { readonly states: readonly KnownState[]; readonly history: LakeHistory },
  world: RunWorld,
  signal: AbortSignal,
): Promise<ServerRun> {
  const known = new ServerHistory(lake.states, (problem) => world.log.warn(problem));
  const [account, startedMs] = [await nameAttempt(access, world), world.nowMs()];
  const run = { server, runId, account, known, history: lake.history, startedMs };
  const { insistence = { logInAgain: false, tryAll: false } } = world;
  const held = findHold(known.newest.attempts, account, startedMs, insistence);
  if (held !== null) return describeHeld(run, held);
  return harvest(run, await lookAtServer(access, known, world, signal), world.nowMs());
}

interface Run {
  readonly server: string;
  readonly runId: string;
  readonly account: string;
  readonly known: ServerHistory;
  readonly history: LakeHistory;
  readonly startedMs: number;
}

type Seen = Awaited<ReturnType<typeof lookAtServer>>;

async function lookAtServer(
  access: ServerAccess,
  known: ServerHistory,
  world: RunWorld,
  signal: AbortSignal,
) {
  const startedElapsedMs = world.elapsedMs();
  const cost: QueryCost = { queries: 0, serverMs: 0, refusal: null };
  const recorder = new AnswerRecorder();
  let kept = null as KeptRecord | null;
  const captures = {
    keep: async (record: KeptRecord) => void (kept ??= record),
    recover: async (name: string | null) => known.of(name).capture,
  };
  const counted = { access: countQueries(access, cost, world.elapsedMs), world };
  const monitor = watchServer(counted, { captures, recorder });
  try {
    const end = await collectServer(monitor, signal, cost);
    if (end.outcome !== 'not tracked' && monitor.snapshot.connection === 'connected') await monitor.keepNow();
    const { facts } = monitor.snapshot;
    const recording = findRecording(monitor);
    // What comes along is in tables of its own.
    const answers = finishSteps(recorder.encode());
    const { log } = known.of(facts?.server.serverName ?? null);
    const wanted = world.along ?? { samples: false, errorLogMs: 0 };
    const along = await askAlong(monitor, log, wanted, world.nowMs(), signal);
    const tookMs = world.elapsedMs() - startedElapsedMs;
    return { end: findLack(end, facts), facts, recording, kept, along, answers, cost, tookMs };
  } finally {
    await monitor.dispose();
  }
}

async function harvest(run: Run, seen: Seen, endedMs: number): Promise<ServerRun> {
  const { server, known, history } = run;
  const { end, facts, kept, cost } = seen;
  const answered = kept?.serverName ?? facts?.server.serverName ?? null;
  const last = known.of(answered);
  const before = facts === null ? { ...last, isLate: false } : await history.complete(last, server, answered);
  const attempts = noteEnd(run, seen, before.attempts);
  const changed = facts === null ? null : listChangedFacts(server, facts, seen.recording, before.facts);
  const news = await describeNews(server, kept, before, history);
  const along = await describeAlong(run, seen, answered, before);
  const outcome = end.outcome === 'collected' && news.isQuiet ? 'nothing new' : end.outcome;
  const checkpoints = news.rows.checkpoints ?? createRows('checkpoints');
  const observation = news.observed === null ? null : (kept?.observation ?? null);
  const rows: Partial<Record<TableName, LakeRows>> = {
    ...news.rows,
    ...along.rows,
    runs: describeRun(run, endedMs, {
      outcome,
      reason: end.reason,
      server_name: answered,
      capture_id: kept?.id ?? null,
      ...news.counts,
      observed_from_utc: news.observed?.beginUtcMs ?? null,
      observed_to_utc: news.observed?.endUtcMs ?? null,
      ...summarizeRun(checkpoints, facts, before.facts, observation),
      ...along.columns,
      queries: cost.queries,
      server_ms: cost.serverMs,
      our_ms: seen.tookMs,
    }),
    ...(changed === null ? {} : { facts: changed.rows }),
  };
  const readUtcMs = facts?.server.nowUtcMs ?? 0;
  const areAnswersDue =
    changed !== null && (countRows(changed.rows) > 0 || Math.abs(readUtcMs - before.answersUtcMs) > DAY_MS);
  if (areAnswersDue) {
    rows.answers = createRows('answers');
    addRow(rows.answers, { server, read_utc: readUtcMs, answers: seen.answers });
  }
  const isChanged =
    attempts !== before.attempts || along.log !== before.log || !news.isQuiet || areAnswersDue;
  const state = {
    facts: changed?.known ?? before.facts,
    answersUtcMs: areAnswersDue ? readUtcMs : before.answersUtcMs,
    capture: news.isQuiet || kept === null ? before.capture : lightenCapture(kept, news.beginsUtcMs),
    attempts,
    log: along.log,
    beginsUtcMs: news.beginsUtcMs,
  };
  const serverName = answered ?? known.lastServer;
  const found = { server, rows, state: isChanged ? encodeState(state) : null, serverName };
  return { harvest: found, outcome, reason: end.reason, counts: news.counts };
}

function noteEnd({ account, startedMs: atUtcMs }: Run, { end, facts, cost }: Seen, past: Attempts): Attempts {
  const way = facts !== null ? 'let in' : end.outcome === 'not reached' ? 'not reached' : 'other';
  return noteAttempt(past, { account, atUtcMs, end: way, reason: end.reason, refusal: cost.refusal });
}

function describeRun(
  { server, runId: run_id, startedMs: started_utc }: Run,
  ended_utc: number,
  columns: Parameters<typeof addRow>[1],
): LakeRows {
  const runs = createRows('runs');
  addRow(runs, { server, run_id, started_utc, ended_utc, ...columns });
  return runs;
}

function findRecording({ snapshot: { tracking, trackedDatabaseIds } }: ServerMonitor): Recording {
  return tracking.state === 'tracking' ? (id) => trackedDatabaseIds?.includes(id) ?? true : null;
}

/** A server that is not asked in this run. */
function describeHeld(run: Run, end: End): ServerRun {
  const runs = describeRun(run, run.startedMs, { ...end, queries: 0, server_ms: 0, our_ms: 0 });
  return { harvest: { server: run.server, rows: { runs }, state: null }, ...end, counts: null };
}

async function describeAlong(
  { server, history, startedMs }: Run,
  { along: read, facts }: Seen,
  answered: string | null,
  { log, isLate }: Pick<CollectState, 'log'> & { readonly isLate: boolean },
): Promise<Along> {
  // After a failover within the run, the log is not of the server that the state is kept for. The next run reads it.
  const isOfAnother = facts !== null && facts.server.serverName !== answered;
  const ofServer = read !== null && isOfAnother ? { ...read, errorLog: null } : read;
  const along = harvestAlong(server, ofServer, facts, log);
  const { log_messages: messages } = along.rows;
  // Without a position, or if our clock was moved back, the last day is read: the lake may have it. So may it what
  // follows an earlier position.
  const mayRepeat = log === null || isLate || (log.cursor?.readAtMs ?? 0) > startedMs;
  const past = mayRepeat && messages !== undefined ? await history.find(answered) : null;
  if (past === null || messages === undefined) return along;
  const log_messages = await history.leaveOut('log_messages', messages, past);
  return { ...along, rows: { ...along.rows, log_messages } };
}

interface News {
  readonly rows: Partial<Record<TableName, LakeRows>>;
  readonly counts: RunCounts | null;
  readonly isQuiet: boolean;
  /** By this capture since the run before; null: nothing was observed in this run. */
  readonly observed: TimeWindow | null;
  /** See StateHead. */
  readonly beginsUtcMs: number | null;
}

/** Time in which nothing happened is not written now: it is observed together with the next event. */
async function describeNews(
  server: string,
  kept: KeptRecord | null,
  { capture: before, beginsUtcMs: began }: CollectState,
  history: LakeHistory,
): Promise<News> {
  const quiet = { rows: {}, isQuiet: true, observed: null, beginsUtcMs: began };
  if (kept === null) return { ...quiet, counts: null };
  const counts = countRun(kept, before);
  const gaps = harvestGaps(server, kept, before);
  const goesOn = before?.id === kept.id;
  if (goesOn && counts.rows_read === 0 && counts.undecided === 0 && countRows(gaps) === 0)
    return { ...quiet, counts };
  const found = harvestCheckpoints(server, kept, before);
  // The lake may already have what a capture that does not go on reads, and what was before the begin of one that does.
  const mayRepeat =
    !goesOn || (began !== null && (found.begin_utc ?? []).some((at) => (at as number) < began));
  const past = mayRepeat ? await history.find(kept.serverName) : null;
  const beginsUtcMs = goesOn ? began : (past?.toUtcMs ?? null);
  const checkpoints = past === null ? found : await history.leaveOut('checkpoints', found, past);
  const again = countRows(found) - countRows(checkpoints);
  const ownGaps = cutGaps(gaps, beginsUtcMs);
  const begin = kept.observation?.beginUtcMs ?? -Infinity;
  // What came between is in no capture.
  const between = { kind: 'unknown', begin_utc: beginsUtcMs, end_utc: begin, reason: NOT_READ };
  if (!goesOn && beginsUtcMs !== null && begin > beginsUtcMs)
    addRow(ownGaps, { server, capture_id: kept.id, ...between });
  const [once, duplicates] = [counts.checkpoints - again, counts.duplicates + 2 * again];
  return {
    rows: { checkpoints, gaps: ownGaps },
    counts: { ...counts, checkpoints: once, duplicates },
    isQuiet: false,
    observed: findObserved(kept.observation, goesOn ? before.observation : null, beginsUtcMs),
    beginsUtcMs,
  };
}

function findObserved(
  now: Observation | null,
  before: Observation | null,
  beginsUtcMs: number | null,
): TimeWindow | null {
  if (now === null) return null;
  const { endUtcMs } = now;
  const time = { beginUtcMs: before?.endUtcMs ?? now.beginUtcMs, endUtcMs };
  const beginUtcMs = cutBegin(time, beginsUtcMs);
  // All of it is the earlier capture's.
  return beginUtcMs >= endUtcMs && beginsUtcMs !== null ? null : { beginUtcMs, endUtcMs };
}

const NOT_READ = 'What was recorded between two captures was not read.';

/** Without those that end before. */
function cutGaps(gaps: LakeRows, beginsUtcMs: number | null): LakeRows {
  if (beginsUtcMs === null) return gaps;
  const isTaken = (_: unknown, at: number): boolean => (gaps.end_utc?.[at] as number) > beginsUtcMs;
  return Object.fromEntries(Object.entries(gaps).map(([name, values]) => [name, values.filter(isTaken)]));
}

type End = Pick<ServerRun, 'outcome' | 'reason'>;

/** The same end, unless a part of the facts could not be read this time. */
export function findLack(end: End, facts: Facts | null): End {
  if (facts === null || !FINE.has(end.outcome)) return end;
  const { state, roles, settings, traceFlags, startup, acceleratedRecovery } = facts;
  const failed = [state, roles, settings, traceFlags, startup, acceleratedRecovery].flatMap((each) =>
    each.kind === 'not observable' && each.mayPass ? each.reason : [],
  );
  const reasons = [...describeUnread(facts), ...failed];
  return reasons.length === 0 ? end : { outcome: 'in part', reason: reasons.join(' ') };
}

/** Connects, and reads all that the server has when it is looked at. Never throws because of the server. */
export async function collectServer(
  monitor: ServerMonitor,
  signal: AbortSignal,
  cost: QueryCost,
): Promise<End> {
  // Without a click: one refused login stops every login of that account in this run.
  await Promise.race([monitor.look('now'), waitForAbort(signal)]);
  const { connection, failure, standing } = monitor.snapshot;
  if (signal.aborted && signal.reason === TIME_OVER)
    return { outcome: 'timed out', reason: failure ?? TOO_SLOW };
  if (signal.aborted) return { outcome: 'in part', reason: STOPPED };
  if (connection !== 'connected') {
    const outcome = OUTCOME_OF[standing?.kind ?? 'none'];
    const isHeld = outcome === 'login refused' && cost.refusal === null;
    return { outcome: isHeld ? 'held back' : outcome, reason: failure };
  }
  const { state, message } = monitor.snapshot.tracking;
  if (state !== 'tracking')
    return { outcome: state === 'failed' ? 'failed' : 'not tracked', reason: message };
  return waitForReading(monitor, signal);
}

const TOO_SLOW = 'The server did not answer within its time limit.';
const OUT_OF_TIME = 'The time limit for this server was reached. The next run goes on from there.';
const STOPPED = 'The run was stopped before all of this server was read. The next run goes on from there.';
const OUTCOME_OF = {
  refused: 'login refused',
  certificate: 'certificate not trusted',
  waiting: 'held back',
  unreachable: 'not reached',
  gone: 'not reached',
  none: 'failed',
} as const;

/** Waits until everything was read that the server had when it was looked at. The first page comes after the look. */
function waitForReading(monitor: ServerMonitor, signal: AbortSignal): Promise<End> {
  return new Promise((resolve) => {
    let hasRead = false;
    const look = (): void => {
      const end = findEnd(monitor, hasRead, signal);
      if (end === null) return;
      listening.dispose();
      signal.removeEventListener('abort', look);
      resolve(end);
    };
    const listening = monitor.onDidChange((change) => {
      hasRead ||= change === 'capture';
      look();
    });
    signal.addEventListener('abort', look);
  });
}

function findEnd({ snapshot }: ServerMonitor, hasRead: boolean, signal: AbortSignal): End | null {
  const { tracking } = snapshot;
  if (tracking.trouble === 'not read') return { outcome: 'in part', reason: tracking.message };
  if ((hasRead && tracking.reading === null) || tracking.state !== 'tracking')
    return { outcome: 'collected', reason: null };
  if (!signal.aborted) return null;
  return { outcome: 'in part', reason: signal.reason === TIME_OVER ? OUT_OF_TIME : STOPPED };
}
