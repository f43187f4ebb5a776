/** A scan of the buffer pool, read from the data fields of its event (docs/facts.md, SQL Server 3). */
import { readDigits } from '../time';
import type { MalformedEvent, ScanEvent } from './event';

export const SCAN_EVENT = 'buffer_pool_scan_complete';

/** Besides database_id. */
const FIELDS = new Set(['elapsed_time_ms', 'command', 'operation', 'scanned_buffers', 'total_iterated_buffers', 'parallel_tasks']);
/** database_id is a uint32 here. The engine's own databases and "none" have numbers above this. */
const LARGEST_DATABASE_ID = 32_766;

export function isScanField(name: string): boolean {
  return FIELDS.has(name);
}

/** The scan, or why the fields do not give one: it needs a database_id and an elapsed time. */
export function interpretScan(data: ReadonlyMap<string, string>, atUtcMs: number): ScanEvent | MalformedEvent {
  const numbers = ['database_id', 'elapsed_time_ms', 'scanned_buffers', 'total_iterated_buffers', 'parallel_tasks'].map((name) => {
    return readCount(data.get(name));
  });
  const wrong = numbers.some((value) => Number.isNaN(value));
  const [databaseId, elapsedMs, scannedBuffers = null, iteratedBuffers = null, parallelTasks = null] = numbers;
  if (wrong || databaseId == null || elapsedMs == null || elapsedMs > atUtcMs) {
    const fields = [...data].map(([name, value]) => `${name} "${value.slice(0, 30)}"`).join(', ');
    return { kind: 'malformed', reason: 'wrong scan', detail: `The fields of the scan can not be read: ${fields}.` };
  }
  return {
    kind: 'scan',
    databaseId: databaseId >= 1 && databaseId <= LARGEST_DATABASE_ID ? databaseId : null,
    atUtcMs,
    elapsedMs,
    command: data.get('command') ?? null,
    operation: data.get('operation') ?? null,
    scannedBuffers,
    iteratedBuffers,
    parallelTasks,
  };
}

/** null if the field is absent, NaN if it is no number. */
function readCount(value: string | undefined): number | null {
  if (value === undefined) return null;
  const digits = value.trim();
  return digits.length <= 15 ? readDigits(digits, 0, digits.length) : NaN;
}
