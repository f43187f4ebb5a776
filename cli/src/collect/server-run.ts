/**
 * One run over one server: connects, reads what is new, and lets go. It only reads: no session is started, changed or
 * stopped here.
 */
import type { Facts } from '../../../src/core/advice/facts';
import { describeUnread } from '../../../src/core/advice/rules/preflight';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import type { Observation } from '../../../src/core/capture/checkpoint-columns';
import { finishSteps } from '../../../src/core/steps';
import type { ServerAccess } from '../../../src/hosts/host';
import { addRow, countRows, createRows, type LakeRows } from '../../../src/lake/data-files';
import type { Harvest, KnownState } from '../../../src/lake/lake';
import { FINE, type Outcome, type TableName } from '../../../src/lake/tables';
import type { LoginBreaker } from '../../../src/monitor/queries/login-breaker';
import { AnswerRecorder } from '../../../src/monitor/queries/recorded-answers';
import type { MonitorSurroundings } from '../../../src/monitor/queries/surroundings';
import type { ReadAlong } from '../../../src/monitor/evidence/along-reading';
import type { ServerMonitor } from '../../../src/monitor/server-monitor';
import { TIME_OVER } from '../kit/at-once';
import { countQueries, type QueryCost } from '../servers/query-cost';
import { waitForAbort, watchServer } from '../servers/watching';
import { type Along, askAlong, type AlongWanted, harvestAlong } from './along';
import { findHold, type Insistence, noteAttempt } from './attempts';
import {
  countRun,
  listChangedFacts,
  harvestCheckpoints,
  harvestGaps,
  type Recording,
  type RunCounts,
  summarizeRun,
} from './harvest';
import { ServerHistory, type LakeHistory } from './history';
import { cutBegin, encodeState, lightenCapture, type CollectState } from './server-state';
import { DAY_MS } from '../../../src/core/time';

export interface RunWorld extends Pick<
  MonitorSurroundings,
  'schedule' | 'elapsedMs' | 'log' | 'newCaptureId'
> {
  readonly breaker: LoginBreaker;
  readonly nowMs: () => number;
  /** Absent: on nothing. */
  readonly insistence?: Insistence;
  /** Absent: neither. */
  readonly along?: AlongWanted;
}

export interface ServerRun {
  readonly harvest: Harvest;
  readonly outcome: Outcome;
  readonly reason: string | null;
  readonly counts: RunCounts | null;
}

/**
 * @param states how to go on, as the lake has it: the newest first; none at the first run
 * @param signal aborted with TIME_OVER when the time of the server is over, or because the whole is to end. Never
 * throws because of the server.
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
  const run: Run = {
    server,
    runId,
    account: access.account.key,
    known,
    history: lake.history,
    startedMs: world.nowMs(),
  };
  const held = findHold(
    known.newest.attempts,
    run.account,
    run.startedMs,
    world.insistence ?? { logInAgain: false, tryAll: false },
  );
  if (held !== null) return describeHeld(run, held);
  return harvest(run, await lookAtServer(access, known, world, signal), world.nowMs());
}

/** One server in one run, as it begins. */
interface Run {
  readonly server: string;
  readonly runId: string;
  readonly account: string;
  readonly known: ServerHistory;
  readonly history: LakeHistory;
  readonly startedMs: number;
}

/** What was seen of it. */
interface Seen {
  readonly end: End;
  readonly facts: Facts | null;
  readonly recording: Recording;
  readonly kept: KeptRecord | null;
  /** Null: there was no time left, or nothing was asked for. */
  readonly along: ReadAlong | null;
  readonly answers: Uint8Array;
  readonly cost: QueryCost;
  readonly tookMs: number;
}

async function lookAtServer(
  access: ServerAccess,
  known: ServerHistory,
  world: RunWorld,
  signal: AbortSignal,
): Promise<Seen> {
  const startedElapsedMs = world.elapsedMs();
  const cost: QueryCost = { queries: 0, serverMs: 0, refusal: null };
  const recorder = new AnswerRecorder();
  let kept: KeptRecord | null = null;
  const captures = {
    keep: async (record: KeptRecord) => void (kept ??= record),
    recover: async (name: string | null) => known.of(name).capture,
  };
  const monitor = watchServer(
    { access: countQueries(access, cost, world.elapsedMs), world },
    { captures, recorder },
  );
  try {
    const end = await collectServer(monitor, signal, cost);
    if (end.outcome !== 'not tracked' && monitor.snapshot.connection === 'connected') await monitor.keepNow();
    const { facts } = monitor.snapshot;
    const recording = findRecording(monitor);
    // What comes along is in tables of its own.
    const answers = finishSteps(recorder.encode());
    const along = await askAlong(
      monitor,
      known.of(facts?.server.serverName ?? null).log,
      world.along ?? { samples: false, errorLogMs: 0 },
      world.nowMs(),
      signal,
    );
    return {
      end: findLack(end, facts),
      facts,
      recording,
      kept,
      along,
      answers,
      cost,
      tookMs: world.elapsedMs() - startedElapsedMs,
    };
  } finally {
    await monitor.dispose();
  }
}

async function harvest(
  { server, runId, account, known, history, startedMs }: Run,
  seen: Seen,
  endedMs: number,
): Promise<ServerRun> {
  const { end, facts, kept, cost } = seen;
  const answered = kept?.serverName ?? facts?.server.serverName ?? null;
  const last = known.of(answered);
  const before = facts === null ? { ...last, isLate: false } : await history.complete(last, server, answered);
  const way = facts !== null ? 'let in' : end.outcome === 'not reached' ? 'not reached' : 'other';
  const attempt = {
    account,
    atUtcMs: startedMs,
    end: way,
    reason: end.reason,
    refusal: cost.refusal,
  } as const;
  const attempts = noteAttempt(before.attempts, attempt);
  const changed = facts === null ? null : listChangedFacts(server, facts, seen.recording, before.facts);
  const news = await describeNews(server, kept, before, history);
  const along = await describeAlong(
    server,
    seen,
    answered,
    { log: before.log, mayRepeat: before.isLate || (before.log?.cursor?.readAtMs ?? 0) > startedMs },
    history,
  );
  const outcome = end.outcome === 'collected' && news.isQuiet ? 'nothing new' : end.outcome;
  const runs = createRows('runs');
  addRow(runs, {
    server,
    run_id: runId,
    started_utc: startedMs,
    ended_utc: endedMs,
    outcome,
    reason: end.reason,
    server_name: answered,
    ...news.columns,
    ...summarizeRun(
      news.rows.checkpoints ?? createRows('checkpoints'),
      facts,
      before.facts,
      news.observation,
    ),
    ...along.columns,
    queries: cost.queries,
    server_ms: cost.serverMs,
    our_ms: seen.tookMs,
  });
  const rows: Partial<Record<TableName, LakeRows>> = {
    ...news.rows,
    ...along.rows,
    runs,
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
  const { beginsUtcMs, counts } = news;
  const capture = news.isQuiet ? before.capture : kept === null ? null : lightenCapture(kept, beginsUtcMs);
  const answersUtcMs = areAnswersDue ? readUtcMs : before.answersUtcMs;
  const after = {
    facts: changed?.known ?? before.facts,
    answersUtcMs,
    capture,
    attempts,
    log: along.log,
    beginsUtcMs,
  };
  const state = isChanged ? encodeState(after) : null;
  return {
    harvest: { server, rows, state, serverName: answered ?? known.lastServer },
    outcome,
    reason: end.reason,
    counts,
  };
}

function findRecording({ snapshot: { tracking, trackedDatabaseIds } }: ServerMonitor): Recording {
  return tracking.state === 'tracking'
    ? (databaseId) => trackedDatabaseIds?.includes(databaseId) ?? true
    : null;
}

/** A server that is not asked in this run. */
function describeHeld({ server, runId, startedMs: atMs }: Run, { outcome, reason }: End): ServerRun {
  const runs = createRows('runs');
  addRow(runs, {
    server,
    run_id: runId,
    started_utc: atMs,
    ended_utc: atMs,
    outcome,
    reason,
    queries: 0,
    server_ms: 0,
    our_ms: 0,
  });
  return { harvest: { server, rows: { runs }, state: null }, outcome, reason, counts: null };
}

async function describeAlong(
  server: string,
  { along: read, facts }: Seen,
  answered: string | null,
  { log, mayRepeat }: Pick<CollectState, 'log'> & { readonly mayRepeat: boolean },
  history: LakeHistory,
): Promise<Along> {
  // After a failover within the run, the log is not of the server that the state is kept for. The next run reads it.
  const isOfAnother = facts !== null && facts.server.serverName !== answered;
  const along = harvestAlong(
    server,
    read !== null && isOfAnother ? { ...read, errorLog: null } : read,
    facts,
    log,
  );
  const { log_messages: messages } = along.rows;
  // Without a position, or if our clock was moved back, the last day is read: the lake may have it. So may it what
  // follows an earlier position.
  const past = (log === null || mayRepeat) && messages !== undefined ? await history.find(answered) : null;
  if (past === null || messages === undefined) return along;
  return {
    ...along,
    rows: { ...along.rows, log_messages: await history.leaveOut('log_messages', messages, past) },
  };
}

interface News {
  readonly rows: Partial<Record<TableName, LakeRows>>;
  readonly columns: Readonly<Record<string, string | number | null>>;
  readonly counts: RunCounts | null;
  readonly isQuiet: boolean;
  /** Of the capture; null: nothing was observed in this run. */
  readonly observation: Observation | null;
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
  if (kept === null)
    return { rows: {}, columns: {}, counts: null, isQuiet: true, observation: null, beginsUtcMs: began };
  const counts = countRun(kept, before);
  const gaps = harvestGaps(server, kept, before);
  const goesOn = before?.id === kept.id;
  const isQuiet = goesOn && counts.rows_read === 0 && counts.undecided === 0 && countRows(gaps) === 0;
  const { id: capture_id, serverName } = kept;
  if (isQuiet)
    return {
      rows: {},
      columns: { capture_id, ...counts },
      counts,
      isQuiet,
      observation: null,
      beginsUtcMs: began,
    };
  const found = harvestCheckpoints(server, kept, before);
  // What a capture that does not go on reads, and what was before the begin of one that does, the lake may have
  // already.
  const mayRepeat =
    !goesOn || (began !== null && (found.begin_utc ?? []).some((at) => (at as number) < began));
  const past = mayRepeat ? await history.find(serverName) : null;
  const beginsUtcMs = goesOn ? began : (past?.toUtcMs ?? null);
  const checkpoints = past === null ? found : await history.leaveOut('checkpoints', found, past);
  const again = countRows(found) - countRows(checkpoints);
  const told = {
    ...counts,
    checkpoints: counts.checkpoints - again,
    duplicates: counts.duplicates + 2 * again,
  };
  const columns = { capture_id, ...told };
  const rows = { checkpoints, gaps: cutGaps(gaps, beginsUtcMs) };
  const begin = kept.observation?.beginUtcMs ?? -Infinity;
  // What came between is in no capture.
  if (!goesOn && beginsUtcMs !== null && begin > beginsUtcMs)
    addRow(rows.gaps, {
      server,
      capture_id,
      kind: 'unknown',
      begin_utc: beginsUtcMs,
      end_utc: begin,
      reason: NOT_READ,
    });
  if (kept.observation === null)
    return { rows, columns, counts: told, isQuiet, observation: null, beginsUtcMs };
  const { endUtcMs } = kept.observation;
  const from = (goesOn ? before.observation?.endUtcMs : null) ?? kept.observation.beginUtcMs;
  const beginUtcMs = cutBegin({ beginUtcMs: from, endUtcMs }, beginsUtcMs);
  // All of it is the earlier capture's.
  if (beginUtcMs >= endUtcMs && beginsUtcMs !== null)
    return { rows, columns, counts: told, isQuiet, observation: null, beginsUtcMs };
  const observed = { observed_from_utc: beginUtcMs, observed_to_utc: endUtcMs };
  return {
    rows,
    columns: { ...columns, ...observed },
    counts: told,
    isQuiet,
    observation: kept.observation,
    beginsUtcMs,
  };
}

const NOT_READ = 'What was recorded between two captures was not read.';

/** Without those that end before. */
function cutGaps(gaps: LakeRows, beginsUtcMs: number | null): LakeRows {
  if (beginsUtcMs === null) return gaps;
  const isTaken = (_: unknown, at: number): boolean => (gaps.end_utc?.[at] as number) > beginsUtcMs;
  return Object.fromEntries(Object.entries(gaps).map(([name, values]) => [name, values.filter(isTaken)]));
}

interface End {
  readonly outcome: Outcome;
  readonly reason: string | null;
}

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
    return {
      outcome: outcome === 'login refused' && cost.refusal === null ? 'held back' : outcome,
      reason: failure,
    };
  }
  const { state, message } = monitor.snapshot.tracking;
  if (state !== 'tracking')
    return { outcome: state === 'failed' ? 'failed' : 'not tracked', reason: message };
  return waitForReading(monitor, signal);
}

const TOO_SLOW = 'The server did not answer in the time that one server may take.';
const OUT_OF_TIME = 'The time for this server was over. The next run goes on from there.';
const STOPPED = 'The run was stopped before all of this server was read. The next run goes on from there.';
const OUTCOME_OF = {
  refused: 'login refused',
  certificate: 'certificate not trusted',
  waiting: 'held back',
  unreachable: 'not reached',
  none: 'failed',
} as const;

/**
 * Waits until everything was read that the server had when it was looked at. Its first page is asked for after the
 * look.
 */
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
  return signal.aborted
    ? { outcome: 'in part', reason: signal.reason === TIME_OVER ? OUT_OF_TIME : STOPPED }
    : null;
}
