/** What is new in a capture and in the facts of one server since its last run, as rows of the lake. */
import type { Facts } from '../../../src/core/advice/facts';
import { isUserDatabase } from '../../../src/core/advice/obstacle';
import { measureUnion } from '../../../src/core/statistics/observed-time';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import type { Ledger } from '../../../src/core/capture/ledger';
import type { Gap } from '../../../src/core/session/gap';
import type { Observed } from '../../../src/core/observed';
import { addRow, createRows, type TableRows } from '../../../src/lake/data-files';
import type { FactValue, KnownFacts } from './state-head';

/** The account of a run, as the columns of `runs` have it. */
export interface RunCounts {
  readonly rows_read: number;
  readonly checkpoints: number;
  readonly unpaired: number;
  readonly duplicates: number;
  readonly malformed: number;
  readonly other_events: number;
  readonly undecided: number;
}

/** Checkpoints of `now` that are not in `before`, which is the light capture that the run began with. */
export function listCheckpoints(server: string, now: KeptRecord, before: KeptRecord | null): TableRows {
  const rows = createRows('checkpoints');
  const known = countKnown(now.id === before?.id ? before : null);
  const { columns, databases } = now;
  for (let at = 0; at < columns.rows; at++) {
    const begin = columns.beginUtcMs[at] as number;
    const duration = columns.durationMs[at] as number;
    const database = databases[columns.database[at] as number];
    const key = nameCheckpoint(begin, duration, database?.databaseId);
    const left = known.get(key) ?? 0;
    if (left > 0) known.set(key, left - 1);
    else
      addRow(rows, {
        server,
        capture_id: now.id,
        database_id: database?.databaseId ?? null,
        database_name: database?.name ?? null,
        begin_utc: begin,
        end_utc: begin + duration,
        duration_ms: duration,
        task: columns.task?.[at] ?? 0,
      });
  }
  return rows;
}

const nameCheckpoint = (begin: number, duration: number, databaseId: number | undefined): string => `${begin} ${duration} ${databaseId}`;

function countKnown(before: KeptRecord | null): Map<string, number> {
  const known = new Map<string, number>();
  if (before === null) return known;
  const { columns, databases } = before;
  for (let at = 0; at < columns.rows; at++) {
    const databaseId = databases[columns.database[at] as number]?.databaseId;
    const key = nameCheckpoint(columns.beginUtcMs[at] as number, columns.durationMs[at] as number, databaseId);
    known.set(key, (known.get(key) ?? 0) + 1);
  }
  return known;
}

/** Gaps that are new, or longer than they were. */
export function listGaps(server: string, now: KeptRecord, before: KeptRecord | null): TableRows {
  const rows = createRows('gaps');
  const known = new Set((now.id === before?.id ? before.observation?.gaps : null)?.map(nameGap));
  for (const gap of now.observation?.gaps ?? [])
    if (!known.has(nameGap(gap)))
      addRow(rows, { server, capture_id: now.id, kind: gap.kind, begin_utc: gap.beginUtcMs, end_utc: gap.endUtcMs, reason: gap.reason });
  return rows;
}

const nameGap = ({ kind, beginUtcMs, endUtcMs }: Gap): string => `${kind} ${beginUtcMs} ${endUtcMs}`;

/** What was read and what became of it, since the run before. */
export function countRun(now: KeptRecord, before: KeptRecord | null): RunCounts {
  const then = now.id === before?.id ? before.ledger : null;
  const since = (count: (ledger: Ledger) => number): number => count(now.ledger) - (then === null ? 0 : count(then));
  return {
    rows_read: since(({ rowsRead }) => rowsRead),
    checkpoints: since(({ checkpoints }) => checkpoints),
    unpaired: since(({ unpaired }) => unpaired),
    duplicates: since(({ duplicates }) => duplicates),
    malformed: since(({ malformed }) => malformed),
    other_events: since(({ other }) => other),
    undecided: since(({ open, held }) => open + held),
  };
}

const ALL_TIME = Float64Array.of(-Infinity, Infinity);

/** For a first ranking of servers: how busy the one checkpoint task was with these checkpoints. Nothing if it is not known which databases are automatic. */
export function summarizeRun(checkpoints: TableRows, facts: Facts | null): Readonly<Record<string, number | null>> {
  if (facts === null) return {};
  const automatic = new Set(facts.databases.filter(({ targetSeconds }) => targetSeconds === 0).map(({ databaseId }) => databaseId));
  const users = facts.databases.filter((database) => isUserDatabase(database, facts));
  const isTurn = (_: unknown, at: number): boolean => automatic.has(checkpoints.database_id?.[at] as number);
  const [begins, ends] = ['begin_utc', 'end_utc'].map((name) => Float64Array.from((checkpoints[name] ?? []).filter(isTurn) as number[]));
  const longest = (checkpoints.duration_ms ?? []).reduce((most: number, each) => Math.max(most, each as number), -1);
  return {
    busy_ms: measureUnion(begins!, ends!, ALL_TIME),
    longest_ms: longest < 0 ? null : longest,
    databases: users.length,
    automatic_databases: users.filter(({ databaseId }) => automatic.has(databaseId)).length,
  };
}

interface Fact extends FactValue {
  readonly databaseId: number | null;
  readonly databaseName: string | null;
  readonly fact: string;
}

/** Which databases the event session records. null: none is followed, so nobody knows. */
export type Recording = ((databaseId: number) => boolean) | null;

/** Facts of which the value is not the one that was written last, and all of them as they are now. */
export function listChangedFacts(
  server: string,
  facts: Facts,
  recording: Recording,
  known: KnownFacts,
): { readonly rows: TableRows; readonly known: KnownFacts } {
  const rows = createRows('facts');
  const now: Record<string, FactValue> = {};
  const seen_utc = facts.server.nowUtcMs;
  const write = ({ databaseId, databaseName, fact, value, missing }: Fact): void =>
    addRow(rows, { server, seen_utc, database_id: databaseId, database_name: databaseName, fact, value, not_observable: missing });
  for (const each of listFacts(facts, recording)) {
    const { value, missing } = each;
    const key = JSON.stringify([each.databaseId, each.databaseName, each.fact]);
    now[key] = { value, missing };
    const before = known[key];
    if (before?.value !== value || before.missing !== missing) write(each);
  }
  for (const [key, { value }] of Object.entries(known)) {
    const [databaseId, databaseName, fact] = JSON.parse(key) as [number | null, string | null, string];
    if (fact === 'state' && now[key] === undefined && value !== null)
      write({ databaseId, databaseName, fact, value: 'GONE', missing: null });
  }
  return { rows, known: now };
}

/** Gives the facts of a server, or of one of its databases; null: not observable, for that reason. */
function factsOf(databaseId: number | null, databaseName: string | null) {
  return (fact: string, value: string | number | null, missing = 'the server did not say'): Fact => ({
    ...{ databaseId, databaseName, fact },
    ...(value === null ? { value, missing } : { value: String(value), missing: null }),
  });
}

function listFacts({ server, databases, roles, traceFlags, startup }: Facts, recording: Recording): readonly Fact[] {
  const ofServer = factsOf(null, null);
  const observedOr = <T>(fact: string, from: Observed<T>, read: (value: T) => string | number | null): Fact =>
    from.kind === 'observed' ? ofServer(fact, read(from.value), 'not given') : ofServer(fact, null, from.reason);
  return [
    ofServer('server_name', server.serverName),
    ofServer('product_version', server.productVersion),
    ofServer('edition', server.edition),
    ofServer('engine_edition', server.engineEdition),
    ofServer('recovery_interval_minutes', server.recoveryIntervalMinutes),
    ofServer('model_target_recovery_time_seconds', server.modelTargetSeconds),
    ofServer('started_utc', server.startedUtcMs === null ? null : new Date(server.startedUtcMs).toISOString()),
    observedOr('trace_flags', traceFlags, (flags) => [...flags].sort((a, b) => a - b).join(',')),
    observedOr('checkpoint_mb_per_second', startup, ({ checkpointMbPerSecond }) => checkpointMbPerSecond),
    ...databases.flatMap((database): Fact[] => {
      const { databaseId, name } = database;
      const of = factsOf(databaseId, name);
      const role = roles.kind === 'observed' ? (roles.value.get(databaseId)?.role ?? 'NONE') : null;
      return [
        of('created_local', database.createdLocal),
        of('state', database.state),
        of('target_recovery_time_seconds', database.targetSeconds),
        of('recovery_model', database.recoveryModel),
        of('is_read_only', database.isReadOnly ? 1 : 0),
        of('is_recorded', recording === null ? null : recording(databaseId) ? 1 : 0, 'no event session is followed'),
        of('availability_role', role, roles.kind === 'observed' ? undefined : roles.reason),
      ];
    }),
  ];
}
