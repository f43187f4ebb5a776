/** Rows of a lake whose figures can be counted by hand, at minutes before and after one noon. */
import { MINUTE_MS } from '../../src/core/time';

const NOON = Date.UTC(2026, 2, 2, 12);
export const at = (minutes: number): number => NOON + minutes * MINUTE_MS;

/** A run that collected what was observed from then until it began. */
export const run = (from: number, to: number, values: object = {}) => ({
  capture_id: 'one',
  run_id: `to ${to}`,
  started_utc: at(to),
  ended_utc: at(to),
  outcome: 'collected',
  observed_from_utc: at(from),
  observed_to_utc: at(to),
  ...values,
});

export const turn = (minutes: number, durationMs: number, databaseId = 5) => ({
  capture_id: 'one',
  database_id: databaseId,
  database_name: `db ${databaseId}`,
  task: 1,
  duration_ms: durationMs,
  begin_utc: at(minutes),
  end_utc: at(minutes) + durationMs,
});

export const fact = (minutes: number, name: string, value: string | null, databaseId: number | null = 5) => ({
  seen_utc: at(minutes),
  database_id: databaseId,
  database_name: databaseId === null ? null : `db ${databaseId}`,
  fact: name,
  value,
});

export const target = (minutes: number, value: string, databaseId = 5) =>
  fact(minutes, 'target_recovery_time_seconds', value, databaseId);
