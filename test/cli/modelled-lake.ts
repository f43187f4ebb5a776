/** A lake of captures that a random number made: overlaps, ties, gaps of every kind, in pieces as several runs would write them. */
import { addRow, createRows, type TableRows } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import type { Value } from '../../src/lake/parquet-file';
import type { TableName } from '../../src/lake/tables';
import type { CapturedDatabase, CheckpointColumns, Observation } from '../../src/core/capture/checkpoint-columns';
import { type Chance } from '../core/errorlog/disturbed-log';
import { type Gap, GAP_KINDS } from '../../src/core/session/gap';

const BEGIN_UTC_MS = Date.UTC(2026, 9, 24, 21, 17, 3, 123);
const HOUR_MS = 3_600_000;
const DATABASES = 9;

interface TargetChange {
  readonly atUtcMs: number;
  readonly fromSeconds: number;
  readonly toSeconds: number;
}

export interface ModelledServer {
  readonly name: string;
  readonly columns: CheckpointColumns;
  readonly databases: readonly CapturedDatabase[];
  readonly observation: Observation;
  /** By index: the target recovery time now, and what changed it. */
  readonly targets: ReadonlyMap<number, number>;
  readonly changes: ReadonlyMap<number, readonly TargetChange[]>;
  /** Ends of the runs in which it was observed. */
  readonly runs: readonly number[];
}

export function modelServer(name: string, random: Chance): ModelledServer {
  const hours = 30 + Math.floor(random() * 40);
  const endUtcMs = BEGIN_UTC_MS + hours * HOUR_MS;
  const moment = (): number => BEGIN_UTC_MS + Math.floor(random() * hours * HOUR_MS);
  const gaps: Gap[] = Array.from({ length: Math.floor(random() * 25) }, () => {
    const beginUtcMs = moment();
    const lengthMs = random() < 0.1 ? 0 : Math.floor(random() ** 4 * 2 * HOUR_MS);
    return {
      kind: GAP_KINDS[Math.floor(random() * GAP_KINDS.length)]!,
      beginUtcMs,
      endUtcMs: Math.min(endUtcMs, beginUtcMs + lengthMs),
      reason: 'tried',
    };
  });
  const runs = [...Array.from({ length: 12 }, moment), endUtcMs].sort((a, b) => a - b);
  const targets = new Map<number, number>();
  const changes = new Map<number, TargetChange[]>();
  for (let database = 0; database < DATABASES - 2; database++) {
    let seconds = database < 5 ? 0 : 60;
    const own = (database === 1 || database === 5 ? [5, 9] : database === 2 ? [7] : []).map(
      (run) => runs[run]! + 1 + Math.floor(random() * 60_000),
    );
    changes.set(
      database,
      own.map((atUtcMs) => ({ atUtcMs, fromSeconds: seconds, toSeconds: (seconds = seconds === 0 ? 60 : 0) })),
    );
    targets.set(database, seconds);
  }
  const databases = Array.from({ length: DATABASES }, (_, at) => ({
    databaseId: at + 5,
    createdLocal: null,
    name: at === DATABASES - 2 ? null : `db ${at} '"\\ü`,
  }));
  return {
    name,
    columns: modelColumns(gaps, moment, random),
    databases,
    observation: { beginUtcMs: BEGIN_UTC_MS, endUtcMs, gaps },
    targets,
    changes,
    runs,
  };
}

/** The last database has no checkpoint. Some begin or end exactly with a gap. */
function modelColumns(gaps: readonly Gap[], moment: () => number, random: Chance): CheckpointColumns {
  const rows = 400;
  const columns = { rows, beginUtcMs: new Float64Array(rows), durationMs: new Uint32Array(rows), database: new Uint16Array(rows) };
  for (let row = 0; row < rows; row++) {
    const gap = gaps[Math.floor(random() * gaps.length)];
    const length = random() < 0.3 ? Math.floor(random() * 4) : Math.floor(random() ** 5 * 40 * 60_000);
    const edge = random() < 0.5 ? gap?.beginUtcMs : gap?.endUtcMs;
    const begin = edge !== undefined && random() < 0.1 ? edge - (random() < 0.5 ? length : 0) : moment();
    columns.beginUtcMs[row] = Math.max(BEGIN_UTC_MS, begin);
    columns.durationMs[row] = length;
    columns.database[row] = Math.floor(random() ** 2 * (DATABASES - 1));
  }
  return columns;
}

/** Writes the servers as collectors would, each in runs; also one that was never reached. */
export async function writeModelledLake(folder: string, servers: readonly ModelledServer[], random: Chance): Promise<void> {
  const lake = await Lake.open(folder);
  for (const server of servers) {
    const rows = listServerRows(server, random);
    await lake.append([{ server: server.name, rows, state: null }], await lake.stand());
  }
  const runs = createRows('runs');
  addRow(runs, {
    server: 'NEVER',
    run_id: 'a',
    started_utc: BEGIN_UTC_MS,
    ended_utc: BEGIN_UTC_MS,
    outcome: 'not reached',
    reason: 'No answer.',
  });
  await lake.append([{ server: 'NEVER', rows: { runs }, state: null }], await lake.stand());
}

function listServerRows(server: ModelledServer, random: Chance): Partial<Record<TableName, TableRows>> {
  const { name, columns, databases, observation, targets, changes } = server;
  const capture = { server: name, capture_id: `capture of ${name}` };
  const checkpoints = createRows('checkpoints');
  for (let row = 0; row < columns.rows; row++) {
    const { databaseId, name: database_name } = databases[columns.database[row]!]!;
    const [begin_utc, duration_ms] = [columns.beginUtcMs[row]!, columns.durationMs[row]!];
    addRow(checkpoints, {
      ...capture,
      database_id: databaseId,
      database_name,
      begin_utc,
      end_utc: begin_utc + duration_ms,
      duration_ms,
      task: 0,
    });
  }
  const gaps = createRows('gaps');
  for (const { kind, beginUtcMs, endUtcMs } of observation.gaps) {
    const ends = [endUtcMs, ...(random() < 0.5 ? [beginUtcMs + Math.floor((endUtcMs - beginUtcMs) / 2)] : [])];
    for (const end_utc of ends) addRow(gaps, { ...capture, kind, begin_utc: beginUtcMs, end_utc, reason: 'tried' });
  }
  const runs = createRows('runs');
  let from = observation.beginUtcMs;
  server.runs.forEach((to, at) => {
    const observed: Record<string, Value> = to === from ? {} : { observed_from_utc: from, observed_to_utc: to };
    addRow(runs, {
      ...capture,
      run_id: `run ${at}`,
      started_utc: to,
      ended_utc: to,
      outcome: 'collected',
      ...observed,
      queries: at,
      our_ms: at + 0.25,
    });
    from = to;
  });
  const facts = createRows('facts');
  const write = (seen_utc: number, database: CapturedDatabase | null, fact: string, value: Value): void =>
    addRow(facts, {
      server: name,
      seen_utc,
      database_id: database?.databaseId ?? null,
      database_name: database?.name ?? null,
      fact,
      value,
    });
  const first = server.runs[0]!;
  write(first, null, 'recovery_interval_minutes', '2');
  databases.forEach((database, index) => {
    if (database.name === null) return;
    write(first, database, 'state', 'ONLINE');
    write(first, database, 'is_recorded', '1');
    const [change] = changes.get(index) ?? [];
    write(first, database, 'target_recovery_time_seconds', String(change?.fromSeconds ?? targets.get(index) ?? 60));
    for (const { atUtcMs, toSeconds } of changes.get(index) ?? [])
      write(atUtcMs, database, 'target_recovery_time_seconds', String(toSeconds));
  });
  return { checkpoints, gaps, runs, facts };
}
