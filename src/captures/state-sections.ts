/** The state of a capture, by which it can go on, as sections of its file; the checkpoints themselves are the file's columns. */
import type { KeptSection } from '../core/capture/capture-record';
import type { CapturePlainState, CaptureState, ScanColumns, UnpairedColumns } from '../core/capture/capture-state';
import type { CheckpointColumns } from '../core/capture/checkpoint-columns';
import type { Steps } from '../core/steps';
import { copyNumbers, readNumbers } from './number-bytes';

const NAMES = ['state', 'unpaired', 'scans', 'tasks', 'task guids'] as const;
const UNPAIRED_BYTES = 13;
const SCAN_BYTES = 5 * 8 + 3 * 2;

export function* writeStateSections({ plain, columns, taskGuids, unpaired, scans }: CaptureState): Steps<readonly KeptSection[]> {
  return [
    { name: 'state', bytes: Buffer.from(JSON.stringify(plain), 'utf8') },
    { name: 'unpaired', bytes: yield* writeUnpaired(unpaired) },
    { name: 'scans', bytes: yield* writeScans(scans) },
    ...(columns.task === undefined ? [] : [{ name: 'tasks', bytes: yield* joinColumns([columns.task.subarray(0, columns.rows)]) }]),
    { name: 'task guids', bytes: yield* joinColumns([taskGuids]) },
  ];
}

export interface ReadState {
  readonly state: CaptureState | null;
  /** Sections of others. */
  readonly others: readonly KeptSection[];
  /** One clause that says why the state cannot be read; null where it can, or where there is none. */
  readonly problem: string | null;
}

export function* readStateSections(sections: readonly KeptSection[], columns: CheckpointColumns): Steps<ReadState> {
  const others = sections.filter(({ name }) => !NAMES.some((each) => each === name));
  const [state, unpaired, scans, tasks, guids] = NAMES.map((name) => sections.find((section) => section.name === name)?.bytes);
  if (state === undefined || unpaired === undefined || scans === undefined) return { state: null, others, problem: null };
  const plain = parsePlain(state);
  if (plain === null || unpaired.length % UNPAIRED_BYTES !== 0 || scans.length % SCAN_BYTES !== 0)
    return { state: null, others, problem: 'what it needs to go on is damaged' };
  const task = tasks?.length === 2 * columns.rows ? yield* readNumbers(new Uint16Array(columns.rows), tasks, 0) : undefined;
  const taskGuids =
    task === undefined || guids === undefined ? new Int32Array(0) : yield* readNumbers(new Int32Array(guids.length >> 2), guids, 0);
  const known = { plain, columns: task === undefined ? columns : { ...columns, task }, taskGuids };
  return { state: { ...known, unpaired: yield* readUnpaired(unpaired), scans: yield* readScans(scans) }, others, problem: null };
}

function parsePlain(bytes: Uint8Array): CapturePlainState | null {
  try {
    const plain = JSON.parse(Buffer.from(bytes).toString('utf8')) as CapturePlainState | null;
    return typeof plain === 'object' && plain !== null && typeof plain.rowsRead === 'number' && Array.isArray(plain.pending) ? plain : null;
  } catch {
    return null;
  }
}

function writeUnpaired({ rows, atUtcMs, databaseId, reason }: UnpairedColumns): Steps<Uint8Array> {
  return joinColumns([atUtcMs.subarray(0, rows), databaseId.subarray(0, rows), reason.subarray(0, rows)]);
}

function* readUnpaired(bytes: Uint8Array): Steps<UnpairedColumns> {
  const rows = bytes.length / UNPAIRED_BYTES;
  return {
    rows,
    atUtcMs: yield* readNumbers(new Float64Array(rows), bytes, 0),
    databaseId: yield* readNumbers(new Int32Array(rows), bytes, rows * 8),
    reason: yield* readNumbers(new Uint8Array(rows), bytes, rows * 12),
  };
}

const scanNumbers = ['endUtcMs', 'elapsedMs', 'scannedBuffers', 'iteratedBuffers', 'parallelTasks'] as const;
const scanIndexes = ['database', 'command', 'operation'] as const;

function writeScans(scans: ScanColumns): Steps<Uint8Array> {
  return joinColumns([...scanNumbers, ...scanIndexes].map((name) => scans[name].subarray(0, scans.rows)));
}

function* readScans(bytes: Uint8Array): Steps<ScanColumns> {
  const rows = bytes.length / SCAN_BYTES;
  const number = (place: number): Steps<Float64Array> => readNumbers(new Float64Array(rows), bytes, place * rows * 8);
  const index = (place: number): Steps<Uint16Array> => readNumbers(new Uint16Array(rows), bytes, rows * (5 * 8 + place * 2));
  const [endUtcMs, elapsedMs, scannedBuffers] = [yield* number(0), yield* number(1), yield* number(2)];
  const [iteratedBuffers, parallelTasks] = [yield* number(3), yield* number(4)];
  const [database, command, operation] = [yield* index(0), yield* index(1), yield* index(2)];
  return { rows, endUtcMs, elapsedMs, database, scannedBuffers, iteratedBuffers, parallelTasks, command, operation };
}

function* joinColumns(columns: readonly (Float64Array | Int32Array | Uint16Array | Uint8Array)[]): Steps<Uint8Array> {
  const bytes = new Uint8Array(columns.reduce((sum, column) => sum + column.byteLength, 0));
  let at = 0;
  for (const column of columns) {
    yield* copyNumbers(column, bytes, at);
    at += column.byteLength;
  }
  return bytes;
}
