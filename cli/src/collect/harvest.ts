/** What is new in a capture and in the facts of one server since its last run, as rows of the lake. */
import type { Facts } from '../../../src/core/advice/facts';
import { isUserDatabase } from '../../../src/core/advice/obstacle';
import { findObservedPieces, measureUnion } from '../../../src/core/statistics/observed-time';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import {
  callerOfRow,
  type CheckpointColumns,
  type Observation,
} from '../../../src/core/capture/checkpoint-columns';
import { isSessionCaller, isSystemCaller, sessionOfCaller } from '../../../src/core/events/event-register';
import type { Ledger } from '../../../src/core/capture/ledger';
import type { Gap } from '../../../src/core/session/gap';
import { createGapCrossing } from '../../../src/core/session/gap-crossing';
import type { Observed } from '../../../src/core/observed';
import { countEach } from '../../../src/core/lists';
import { addRow, countRows, createRows, type LakeRows } from '../../../src/lake/data-files';
import type { FactValue, KnownFacts } from './state-head';

/** Checkpoints of `now` that are not in `before`, which is the light capture that the run began with. */
export function harvestCheckpoints(server: string, now: KeptRecord, before: KeptRecord | null): LakeRows {
  const rows = createRows('checkpoints');
  const earlier: string[] = [];
  if (now.id === before?.id)
    for (let at = 0; at < before.columns.rows; at++) earlier.push(nameCheckpoint(before, at));
  const known = new Map(countEach(earlier));
  const { columns } = now;
  for (let at = 0; at < columns.rows; at++) {
    const key = nameCheckpoint(now, at);
    const left = known.get(key) ?? 0;
    if (left > 0) known.set(key, left - 1);
    else {
      const { databaseId = null, name = null } = now.databases[columns.database[at] as number] ?? {};
      const [begin_utc, duration_ms] = [columns.beginUtcMs[at] as number, columns.durationMs[at] as number];
      const time = { begin_utc, end_utc: begin_utc + duration_ms, duration_ms };
      const of = { server, capture_id: now.id, database_id: databaseId, database_name: name };
      addRow(rows, { ...of, ...time, task: columns.task?.[at] ?? 0, ...writeCaller(columns, at) });
    }
  }
  return rows;
}

function writeCaller(columns: CheckpointColumns, at: number) {
  const caller = callerOfRow(columns, at);
  const is_system = isSystemCaller(caller) ? 1 : isSessionCaller(caller) ? 0 : null;
  return { is_system, session_id: sessionOfCaller(caller) || null };
}

const nameCheckpoint = ({ columns, databases }: KeptRecord, at: number): string =>
  `${columns.beginUtcMs[at]} ${columns.durationMs[at]} ${databases[columns.database[at] as number]?.databaseId}`;

/** Gaps that are new, or longer than they were. */
export function harvestGaps(server: string, now: KeptRecord, before: KeptRecord | null): LakeRows {
  const rows = createRows('gaps');
  const known = new Set((now.id === before?.id ? before.observation?.gaps : null)?.map(nameGap));
  for (const gap of now.observation?.gaps ?? []) {
    const { kind, beginUtcMs: begin_utc, endUtcMs: end_utc, reason } = gap;
    if (!known.has(nameGap(gap)))
      addRow(rows, { server, capture_id: now.id, kind, begin_utc, end_utc, reason });
  }
  return rows;
}

const nameGap = ({ kind, beginUtcMs, endUtcMs }: Gap): string => `${kind} ${beginUtcMs} ${endUtcMs}`;

/** What was read and what became of it, since the run before, as the columns of `runs` have it. */
export function countRun({ id, ledger }: KeptRecord, before: KeptRecord | null) {
  const then = id === before?.id ? before.ledger : null;
  const since = (name: Exclude<keyof Ledger, 'otherByName'>): number => ledger[name] - (then?.[name] ?? 0);
  return {
    rows_read: since('rowsRead'),
    checkpoints: since('checkpoints'),
    unpaired: since('unpaired'),
    duplicates: since('duplicates'),
    malformed: since('malformed'),
    other_events: since('other'),
    undecided: since('open') + since('held'),
  };
}

export type RunCounts = Readonly<ReturnType<typeof countRun>>;

const ALL_TIME = { beginUtcMs: -Infinity, endUtcMs: Infinity };
const TARGET = 'target_recovery_time_seconds';

/**
 * For a first ranking of servers: how long the one task was busy with these checkpoints in observed time, and the
 * longest; without those that a gap may have made of two, and busy without those that a session asked for. NULL where the databases, or their settings, are not known.
 * @param before the facts that were written last: they were true until `facts` was read
 * @param observation that of the capture; null: this run observed nothing, so how busy the task was is not known
 */
export function summarizeRun(
  checkpoints: LakeRows,
  facts: Facts | null,
  before: KnownFacts,
  observation: Observation | null,
): Readonly<Record<string, number | null>> {
  if (facts === null) return {};
  const users = facts.databases.filter((database) => isUserDatabase(database, facts));
  const automatic = facts.databases.filter(({ targetSeconds }) => targetSeconds === 0);
  const now = new Set(automatic.map(({ databaseId, name }) => keyOf(databaseId, name, TARGET)));
  const isAcrossGap = createGapCrossing(observation?.gaps ?? []);
  const turns: { readonly begin: number; readonly end: number }[] = [];
  let longest_ms: number | null = null;
  for (let at = 0; at < countRows(checkpoints); at++) {
    const [begin, end] = [checkpoints.begin_utc?.[at] as number, checkpoints.end_utc?.[at] as number];
    if (isAcrossGap?.(begin, end) === true) continue;
    const isAsked = checkpoints.is_system?.[at] === 0;
    longest_ms = Math.max(longest_ms ?? 0, end - begin);
    const key = keyOf(checkpoints.database_id?.[at], checkpoints.database_name?.[at], TARGET);
    const isOld = begin < facts.server.nowUtcMs && before[key] !== undefined;
    if (!isAsked && (isOld ? before[key]?.value === '0' : now.has(key))) turns.push({ begin, end });
  }
  const pieces = observation !== null && findObservedPieces(ALL_TIME, observation);
  const isWhole = facts.unreadDatabases === 0;
  const isKnown = isWhole && facts.databases.some(({ targetSeconds }) => targetSeconds !== null);
  const begins = Float64Array.from(turns, ({ begin }) => begin);
  const ends = Float64Array.from(turns, ({ end }) => end);
  return {
    busy_ms: isKnown && pieces !== false ? measureUnion(begins, ends, pieces) : null,
    longest_ms,
    databases: isWhole ? users.length : null,
    automatic_databases: isWhole ? users.filter(({ targetSeconds }) => targetSeconds === 0).length : null,
  };
}

/** Of a fact among those that were written. */
export const keyOf = (databaseId: unknown, databaseName: unknown, fact: unknown): string =>
  JSON.stringify([databaseId, databaseName, fact]);

interface Fact extends FactValue {
  readonly database_id: number | null;
  readonly database_name: string | null;
  readonly fact: string;
}

/** Which databases the event session records. null: none is followed, so it is not known. */
export type Recording = ((databaseId: number) => boolean) | null;

/** Facts of which the value is not the one that was written last, and all of them as they are now. */
export function listChangedFacts(
  server: string,
  facts: Facts,
  recording: Recording,
  known: KnownFacts,
): { readonly rows: LakeRows; readonly known: KnownFacts } {
  const rows = createRows('facts');
  const now: Record<string, FactValue> = {};
  const seen_utc = facts.server.nowUtcMs;
  const write = ({ missing: not_observable, ...fact }: Fact): void =>
    addRow(rows, { server, seen_utc, ...fact, not_observable });
  for (const each of listFacts(facts, recording)) {
    const { value, missing } = each;
    const key = keyOf(each.database_id, each.database_name, each.fact);
    now[key] = { value, missing };
    const before = known[key];
    if (before?.value !== value || before.missing !== missing) write(each);
  }
  for (const [key, { value, missing }] of Object.entries(known)) {
    const [database_id, database_name, fact] = JSON.parse(key) as [number | null, string | null, string];
    // What could not be read is as it was.
    if (facts.unreadDatabases > 0) now[key] ??= { value, missing };
    else if (fact === 'state' && now[key] === undefined && value !== null)
      write({ database_id, database_name, fact, value: 'GONE', missing: null });
  }
  return { rows, known: now };
}

/** Gives the facts of a server, or of one of its databases; null: not observable, for that reason. */
function factsOf(database_id: number | null, database_name: string | null) {
  return (fact: string, value: string | number | null, missing = 'the server did not say'): Fact => ({
    database_id,
    database_name,
    fact,
    ...(value === null ? { value, missing } : { value: String(value), missing: null }),
  });
}

function listFacts(
  { server, databases, roles, traceFlags, startup }: Facts,
  recording: Recording,
): readonly Fact[] {
  const ofServer = factsOf(null, null);
  const started = server.startedUtcMs === null ? null : new Date(server.startedUtcMs).toISOString();
  const observedOr = <T>(fact: string, from: Observed<T>, read: (value: T) => string | number | null): Fact =>
    from.kind === 'observed'
      ? ofServer(fact, read(from.value), 'not given')
      : ofServer(fact, null, from.reason);
  return [
    ofServer('server_name', server.serverName),
    ofServer('product_version', server.productVersion),
    ofServer('edition', server.edition),
    ofServer('engine_edition', server.engineEdition),
    ofServer('recovery_interval_minutes', server.recoveryIntervalMinutes),
    ofServer('model_target_recovery_time_seconds', server.modelTargetSeconds),
    ofServer('started_utc', started),
    observedOr('trace_flags', traceFlags, (flags) => [...flags].sort((a, b) => a - b).join(',')),
    observedOr('checkpoint_mb_per_second', startup, ({ checkpointMbPerSecond }) => checkpointMbPerSecond),
    ...databases.flatMap((database): Fact[] => {
      const { databaseId, name } = database;
      const of = factsOf(databaseId, name);
      const role = roles.kind === 'observed' ? (roles.value.get(databaseId)?.role ?? 'NONE') : null;
      return [
        of('created_local', database.createdLocal),
        of('state', database.state),
        of(TARGET, database.targetSeconds),
        of('recovery_model', database.recoveryModel),
        of('is_read_only', database.isReadOnly ? 1 : 0),
        of('is_recorded', recording && Number(recording(databaseId)), 'no event session is followed'),
        of('availability_role', role, roles.kind === 'observed' ? undefined : roles.reason),
      ];
    }),
  ];
}
