/** The state of a capture, with which it can go on, as sections of its file. The checkpoints themselves are the file's columns. */
import type { UnpairedColumns } from '../core/pairing/unpaired';
import { createPendingColumns, type PendingColumns } from '../core/pairing/pending-events';
import type { KeptSection } from '../core/capture/capture-record';
import { type CapturePlainState, type CaptureState, SCAN_COLUMNS, type ScanColumns } from '../core/capture/capture-state';
import { createScanColumns } from '../core/capture/scan-store';
import { readGuid } from '../core/events/event-register';
import type { CheckpointColumns } from '../core/capture/checkpoint-columns';
import type { Steps } from '../core/steps';
import { copyNumbers, type Numbers, readNumbers } from '../core/number-columns';
import { t } from '../core/language';
import { type KeptPlain, readPlain } from './kept-plain';

const NAMES = ['state', 'unpaired', 'scans', 'tasks', 'task guids', 'pending'] as const;
const UNPAIRED_BYTES = 13;
const SCAN_BYTES = 5 * 8 + 3 * 2;
const PENDING_BYTES = 37;
/** Events in the older form that are read in one step. */
const EVENTS_A_STEP = 16_384;

export function* writeStateSections({ plain, columns, taskGuids, unpaired, scans, pending }: CaptureState): Steps<readonly KeptSection[]> {
  return [
    { name: 'state', bytes: Buffer.from(JSON.stringify(plain), 'utf8') },
    { name: 'unpaired', bytes: yield* joinColumns(listUnpaired(unpaired)) },
    { name: 'scans', bytes: yield* joinColumns(listScans(scans)) },
    ...(columns.task === undefined ? [] : [{ name: 'tasks', bytes: yield* joinColumns([columns.task.subarray(0, columns.rows)]) }]),
    { name: 'task guids', bytes: yield* joinColumns([taskGuids]) },
    { name: 'pending', bytes: yield* joinColumns(listPending(pending)) },
  ];
}

interface ReadState {
  readonly state: CaptureState | null;
  /** Sections that are no part of the state. */
  readonly others: readonly KeptSection[];
  /** One clause that says why the state cannot be read; null if it can, or if there is none. */
  readonly problem: string | null;
}

export function* readStateSections(sections: readonly KeptSection[], columns: CheckpointColumns): Steps<ReadState> {
  const others = sections.filter(({ name }) => !NAMES.some((each) => each === name));
  const [state, unpaired, scans, tasks, guids, pending] = NAMES.map((name) => sections.find((section) => section.name === name)?.bytes);
  if (state === undefined || unpaired === undefined || scans === undefined) return { state: null, others, problem: null };
  const parsed = readPlain(state);
  const isWhole = pending === undefined ? Array.isArray(parsed?.pending) : pending.length % PENDING_BYTES === 0;
  if (parsed === null || !isWhole || unpaired.length % UNPAIRED_BYTES !== 0 || scans.length % SCAN_BYTES !== 0)
    return { state: null, others, problem: t('the part that it needs to continue is damaged') };
  const task = tasks?.length === 2 * columns.rows ? yield* readNumbers(new Uint16Array(columns.rows), tasks, 0) : undefined;
  const taskGuids =
    task === undefined || guids === undefined ? new Int32Array(0) : yield* readNumbers(new Int32Array(guids.length >> 2), guids, 0);
  const { plain, columns: undecided } = pending === undefined ? yield* readOlderPending(parsed) : yield* readPending(parsed, pending);
  const known = { plain, pending: undecided, columns: task === undefined ? columns : { ...columns, task }, taskGuids };
  return { state: { ...known, unpaired: yield* readUnpaired(unpaired), scans: yield* readScans(scans) }, others, problem: null };
}

interface ReadPending {
  readonly plain: CapturePlainState;
  readonly columns: PendingColumns;
}

function* readPending(plain: KeptPlain, bytes: Uint8Array): Steps<ReadPending> {
  const columns = createPendingColumns(bytes.length / PENDING_BYTES);
  yield* fillColumns(listPending(columns), bytes);
  return { plain: { ...plain, openGaps: [], pendingSources: plain.pendingSources ?? [] }, columns };
}

function* readOlderPending({ pending = [], ...plain }: KeptPlain): Steps<ReadPending> {
  const columns = createPendingColumns(pending.length);
  const pendingSources: { readonly fileName: string | null; readonly fileOffset: string | null }[] = [];
  for (const [row, { kind, databaseId, atUtcMs, guid, sequence, fileName, fileOffset }] of pending.entries()) {
    if (row > 0 && row % EVENTS_A_STEP === 0) yield;
    columns.atUtcMs[row] = atUtcMs;
    columns.databaseId[row] = databaseId;
    columns.kind[row] = (kind === 'end' ? 1 : 0) + (guid === null ? 0 : 2);
    columns.mark[row] = guid === null ? pendingSources.push({ fileName, fileOffset }) - 1 : (sequence ?? 0);
    if (guid !== null) columns.guids.set(readGuid(guid), 4 * row);
  }
  return { plain: { ...plain, openGaps: [], pendingSources }, columns };
}

function* readUnpaired(bytes: Uint8Array): Steps<UnpairedColumns> {
  const rows = bytes.length / UNPAIRED_BYTES;
  const columns = { rows, atUtcMs: new Float64Array(rows), databaseId: new Int32Array(rows), reason: new Uint8Array(rows) };
  yield* fillColumns(listUnpaired(columns), bytes);
  return columns;
}

function* readScans(bytes: Uint8Array): Steps<ScanColumns> {
  const rows = bytes.length / SCAN_BYTES;
  const columns = { ...createScanColumns(rows), rows };
  yield* fillColumns(listScans(columns), bytes);
  return columns;
}

// In the order in which they are written.
function listPending({ atUtcMs, mark, databaseId, guids, kind }: PendingColumns): readonly Numbers[] {
  return [atUtcMs, mark, databaseId, guids, kind];
}

function listUnpaired({ rows, atUtcMs, databaseId, reason }: UnpairedColumns): readonly Numbers[] {
  return [atUtcMs, databaseId, reason].map((column) => column.subarray(0, rows));
}

function listScans(scans: ScanColumns): readonly Numbers[] {
  return SCAN_COLUMNS.map((name) => scans[name].subarray(0, scans.rows));
}

function* joinColumns(columns: readonly Numbers[]): Steps<Uint8Array> {
  const bytes = new Uint8Array(columns.reduce((sum, column) => sum + column.byteLength, 0));
  let at = 0;
  for (const column of columns) {
    yield* copyNumbers(column, bytes, at);
    at += column.byteLength;
  }
  return bytes;
}

function* fillColumns(columns: readonly Numbers[], bytes: Uint8Array): Steps<void> {
  let at = 0;
  for (const column of columns) {
    yield* readNumbers(column, bytes, at);
    at += column.byteLength;
  }
}
