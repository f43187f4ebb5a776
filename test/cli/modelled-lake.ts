/**
 * A lake of captures that a random number made: overlaps, ties, gaps of every kind, in pieces as several runs would
 * write them.
 */
import { harvestCheckpoints, harvestGaps } from '../../cli/src/collect/harvest';
import type { KeptRecord } from '../../src/core/capture/capture-record';
import { addRow, createRows, type LakeRows } from '../../src/lake/data-files';
import { Lake } from '../../src/lake/lake';
import type { LakeValue } from '../../src/lake/parquet-file';
import type { TableName } from '../../src/lake/tables';
import type { CapturedDatabase, CheckpointColumns } from '../../src/core/capture/checkpoint-columns';
import type { ChangeMoment } from '../../src/core/task/change-moment';
import { type Chance } from '../core/errorlog/disturbed-log';
import { type Gap, GAP_KINDS } from '../../src/core/session/gap';
import { gapOf } from '../core/gap-of';

const BEGIN_UTC_MS = Date.UTC(2026, 9, 24, 21, 17, 3, 123);
const HOUR_MS = 3_600_000;
const DATABASES = 9;

export type ModelledServer = ReturnType<typeof modelServer>;

export function modelServer(name: string, random: Chance) {
  const hours = 30 + Math.floor(random() * 40);
  const endUtcMs = BEGIN_UTC_MS + hours * HOUR_MS;
  const moment = (): number => BEGIN_UTC_MS + Math.floor(random() * hours * HOUR_MS);
  const gaps: Gap[] = Array.from({ length: Math.floor(random() * 25) }, () => {
    const beginUtcMs = moment();
    const lengthMs = random() < 0.1 ? 0 : Math.floor(random() ** 4 * 2 * HOUR_MS);
    return gapOf(
      GAP_KINDS[Math.floor(random() * GAP_KINDS.length)]!,
      beginUtcMs,
      Math.min(endUtcMs, beginUtcMs + lengthMs),
      'tried',
    );
  });
  const runs = [...Array.from({ length: 12 }, moment), endUtcMs].sort((a, b) => a - b);
  // By index: the target recovery time now, and what changed it.
  const targets = new Map<number, number>();
  const changes = new Map<number, Pick<ChangeMoment, 'atUtcMs' | 'fromSeconds' | 'toSeconds'>[]>();
  for (let database = 0; database < DATABASES - 2; database++) {
    let seconds = database < 5 ? 0 : 60;
    const own = (database === 1 || database === 5 ? [5, 9] : database === 2 ? [7] : []).map(
      (run) => runs[run]! + 1 + Math.floor(random() * 60_000),
    );
    changes.set(
      database,
      own.map((atUtcMs) => ({
        atUtcMs,
        fromSeconds: seconds,
        toSeconds: (seconds = seconds === 0 ? 60 : 0),
      })),
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
    /** Ends of the runs in which it was observed. */
    runs,
  };
}

/** The last database has no checkpoint. Some begin or end exactly with a gap. */
function modelColumns(gaps: readonly Gap[], moment: () => number, random: Chance): CheckpointColumns {
  const rows = 400;
  const columns = {
    rows,
    beginUtcMs: new Float64Array(rows),
    durationMs: new Uint32Array(rows),
    database: new Uint16Array(rows),
  };
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
export async function writeModelledLake(
  folder: string,
  servers: readonly ModelledServer[],
  random: Chance,
): Promise<void> {
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

/** Writes rows of one server as they are. */
export async function writeRows(
  folder: string,
  server: string,
  tables: Partial<Record<TableName, readonly Readonly<Record<string, LakeValue>>[]>>,
): Promise<void> {
  const lake = await Lake.open(folder);
  const rows: Partial<Record<TableName, LakeRows>> = {};
  for (const [table, list] of Object.entries(tables)) {
    const own = (rows[table as TableName] = createRows(table as TableName));
    for (const row of list) addRow(own, { server, ...row });
  }
  await lake.append([{ server, rows, state: null }], await lake.stand());
}

function listServerRows(server: ModelledServer, random: Chance): Partial<Record<TableName, LakeRows>> {
  const { name, databases, observation, targets, changes } = server;
  const capture = { server: name, capture_id: `capture of ${name}` };
  // Some gaps were seen by two runs, and were longer in the second.
  const seenGaps = observation.gaps.flatMap((gap): readonly Gap[] => {
    const halfUtcMs = gap.beginUtcMs + Math.floor((gap.endUtcMs - gap.beginUtcMs) / 2);
    return random() < 0.5 ? [gap, { ...gap, endUtcMs: halfUtcMs }] : [gap];
  });
  const record = {
    ...server,
    id: capture.capture_id,
    observation: { ...observation, gaps: seenGaps },
  } as unknown as KeptRecord;
  const checkpoints = harvestCheckpoints(name, record, null);
  const gaps = harvestGaps(name, record, null);
  const runs = createRows('runs');
  let from = observation.beginUtcMs;
  server.runs.forEach((to, at) => {
    const observed: Record<string, LakeValue> =
      to === from ? {} : { observed_from_utc: from, observed_to_utc: to };
    addRow(runs, {
      ...capture,
      run_id: `run ${at}`,
      started_utc: to,
      ended_utc: to,
      outcome: 'collected',
      ...observed,
      databases: 8,
      automatic_databases: [...targets.values()].filter((seconds) => seconds === 0).length,
      queries: at,
      our_ms: at + 0.25,
    });
    from = to;
  });
  const facts = createRows('facts');
  const write = (seen_utc: number, database: CapturedDatabase | null, fact: string, value: LakeValue): void =>
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
    write(
      first,
      database,
      'target_recovery_time_seconds',
      String(change?.fromSeconds ?? targets.get(index) ?? 60),
    );
    for (const { atUtcMs, toSeconds } of changes.get(index) ?? [])
      write(atUtcMs, database, 'target_recovery_time_seconds', String(toSeconds));
  });
  return { checkpoints, gaps, runs, facts };
}
