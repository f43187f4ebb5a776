/**
 * The state of a capture, with which it can go on, as sections of its file. The checkpoints themselves are the file's
 * columns.
 */
import type { UnpairedColumns } from '../core/pairing/unpaired';
import { createPendingColumns, type PendingColumns } from '../core/pairing/pending-events';
import type { KeptSection } from '../core/capture/capture-record';
import type { CapturePlainState, CaptureState } from '../core/capture/capture-state';
import { packCaller, readGuid } from '../core/events/event-register';
import { LARGEST_SESSION_ID } from '../core/events/event-xml';
import type { CheckpointColumns } from '../core/capture/checkpoint-columns';
import { finishSteps, type Steps } from '../core/steps';
import { areWithin, copyNumbers, type Numbers, readNumbers } from '../core/number-columns';
import { FIRST_UTC_MS, LAST_UTC_MS } from '../core/time';
import { t } from '../core/language';
import { type KeptPlain, readPlain } from './kept-plain';

const NAMES = [
  'state',
  'unpaired',
  'tasks',
  'task guids',
  'pending',
  'task callers',
  'pending callers',
] as const;
/**
 * Scans of the buffer pool, which nothing shows. An earlier version goes on from no capture without them, so they are
 * written empty.
 */
const NO_MORE_READ = 'scans';
const UNPAIRED_BYTES = 13;
const PENDING_BYTES = 37;
const GUID_BYTES = 16;
const LARGEST_CALLER = packCaller({ isSystem: null, sessionId: LARGEST_SESSION_ID }) + 3;
/** Events in the older form that are read in one step. */
const EVENTS_A_STEP = 16_384;

export function writeStateSections({
  plain,
  columns,
  taskGuids,
  unpaired,
  pending,
}: CaptureState): readonly KeptSection[] {
  return [
    { name: 'state', bytes: Buffer.from(JSON.stringify({ ...plain, scanTexts: [] }), 'utf8') },
    { name: NO_MORE_READ, bytes: new Uint8Array(0) },
    { name: 'unpaired', bytes: joinColumns(listUnpaired(unpaired)) },
    ...(columns.task === undefined
      ? []
      : [{ name: 'tasks', bytes: joinColumns([columns.task.subarray(0, columns.rows)]) }]),
    { name: 'task guids', bytes: joinColumns([taskGuids]) },
    { name: 'pending', bytes: joinColumns(listPending(pending)) },
    { name: 'pending callers', bytes: joinColumns([pending.callers]) },
    ...(columns.callers === undefined
      ? []
      : [{ name: 'task callers', bytes: joinColumns([columns.callers]) }]),
  ];
}

interface ReadState {
  readonly state: CaptureState | null;
  /** Sections that are no part of the state. */
  readonly others: readonly KeptSection[];
  /** One clause that says why the state cannot be read; null if it can, or if there is none. */
  readonly problem: string | null;
}

export function* readStateSections(
  sections: readonly KeptSection[],
  columns: CheckpointColumns,
): Steps<ReadState> {
  const others = sections.filter(({ name }) => name !== NO_MORE_READ && !NAMES.some((each) => each === name));
  const own = NAMES.map((name) => sections.find((section) => section.name === name)?.bytes);
  const [plain, unpaired] = own;
  if (plain === undefined || unpaired === undefined) return { state: null, others, problem: null };
  const state = yield* readState(own, columns);
  const isSound = state !== null && (yield* areColumnsSound(state));
  return isSound
    ? { state, others, problem: null }
    : { state: null, others, problem: t('the part that it needs to continue is damaged') };
}

/** @param sections by NAMES @returns null if they have not the lengths or the shape that they need */
function* readState(
  sections: readonly (Uint8Array | undefined)[],
  columns: CheckpointColumns,
): Steps<CaptureState | null> {
  const none = new Uint8Array(0);
  const [state = none, unpaired = none, tasks, guids = none, pending, callers, pendingCallers] = sections;
  const parsed = yield* readPlain(state);
  const isWhole =
    pending === undefined ? parsed?.pending !== undefined : pending.length % PENDING_BYTES === 0;
  if (parsed === null || !isWhole || unpaired.length % UNPAIRED_BYTES !== 0) return null;
  if (guids.length % GUID_BYTES !== 0 || (tasks !== undefined && tasks.length !== 2 * columns.rows))
    return null;
  const tasksKnown = 1 + guids.length / GUID_BYTES;
  if (callers !== undefined && callers.length !== 4 * tasksKnown) return null;
  const task = tasks && (yield* readNumbers(new Uint16Array(columns.rows), tasks, 0));
  const taskGuids = yield* readNumbers(new Int32Array(task === undefined ? 0 : guids.length >> 2), guids, 0);
  const { plain, columns: undecided } =
    pending === undefined ? yield* readOlderPending(parsed) : readPending(parsed, pending);
  if (pendingCallers !== undefined) {
    if (pendingCallers.length !== 4 * undecided.rows) return null;
    fillColumns([undecided.callers], pendingCallers);
  }
  const known = {
    plain,
    pending: undecided,
    columns: {
      ...columns,
      ...(task && { task }),
      ...(callers && { callers: yield* readNumbers(new Uint32Array(tasksKnown), callers, 0) }),
    },
    taskGuids,
  };
  return { ...known, unpaired: readUnpaired(unpaired) };
}

/** What restoring relies on: each number means something, and each time is one. */
function* areColumnsSound({ plain, columns, taskGuids, unpaired, pending }: CaptureState): Steps<boolean> {
  const last = plain.databases.length - 1;
  const bounds: readonly (readonly [column: Numbers, least: number, most: number])[] = [
    [columns.database, 0, last],
    [columns.task ?? new Uint16Array(0), 0, taskGuids.length / 4],
    [columns.callers ?? new Uint32Array(0), 0, LARGEST_CALLER],
    [pending.callers, 0, LARGEST_CALLER],
    [unpaired.atUtcMs, FIRST_UTC_MS, LAST_UTC_MS],
    [unpaired.reason, 0, 2 * plain.unpairedReasons.length - 1],
    [pending.atUtcMs, FIRST_UTC_MS, LAST_UTC_MS],
    [pending.databaseId, 0, 2 ** 31 - 1],
    [pending.kind, 0, 3],
    [pending.mark, 0, Number.MAX_VALUE],
    [
      pending.mark.filter((_, row) => pending.kind[row] === 0 || pending.kind[row] === 1),
      0,
      plain.pendingSources.length - 1,
    ],
  ];
  for (const [column, least, most] of bounds) if (!(yield* areWithin(column, least, most))) return false;
  return true;
}

interface ReadPending {
  readonly plain: CapturePlainState;
  readonly columns: PendingColumns;
}

function readPending(plain: KeptPlain, bytes: Uint8Array): ReadPending {
  const columns = createPendingColumns(bytes.length / PENDING_BYTES);
  fillColumns(listPending(columns), bytes);
  return { plain: { ...plain, openGaps: [], pendingSources: plain.pendingSources ?? [] }, columns };
}

function* readOlderPending({ pending = [], ...plain }: KeptPlain): Steps<ReadPending> {
  const columns = createPendingColumns(pending.length);
  const pendingSources: { readonly fileName: string | null; readonly fileOffset: string | null }[] = [];
  for (const [
    row,
    { kind, databaseId, atUtcMs, guid, sequence, fileName, fileOffset },
  ] of pending.entries()) {
    if (row > 0 && row % EVENTS_A_STEP === 0) yield;
    columns.atUtcMs[row] = atUtcMs;
    columns.databaseId[row] = databaseId;
    columns.kind[row] = (kind === 'end' ? 1 : 0) + (guid === null ? 0 : 2);
    columns.mark[row] = guid === null ? pendingSources.push({ fileName, fileOffset }) - 1 : (sequence ?? 0);
    if (guid !== null) columns.guids.set(readGuid(guid), 4 * row);
  }
  return { plain: { ...plain, openGaps: [], pendingSources }, columns };
}

function readUnpaired(bytes: Uint8Array): UnpairedColumns {
  const rows = bytes.length / UNPAIRED_BYTES;
  const columns = {
    rows,
    atUtcMs: new Float64Array(rows),
    databaseId: new Int32Array(rows),
    reason: new Uint8Array(rows),
  };
  fillColumns(listUnpaired(columns), bytes);
  return columns;
}

// In the order in which they are written.
function listPending({ atUtcMs, mark, databaseId, guids, kind }: PendingColumns): readonly Numbers[] {
  return [atUtcMs, mark, databaseId, guids, kind];
}

function listUnpaired({ rows, atUtcMs, databaseId, reason }: UnpairedColumns): readonly Numbers[] {
  return [atUtcMs, databaseId, reason].map((column) => column.subarray(0, rows));
}

/** At once: the columns of a state are short beside those of the checkpoints. */
function joinColumns(columns: readonly Numbers[]): Uint8Array {
  const bytes = new Uint8Array(columns.reduce((sum, column) => sum + column.byteLength, 0));
  let at = 0;
  for (const column of columns) {
    finishSteps(copyNumbers(column, bytes, at));
    at += column.byteLength;
  }
  return bytes;
}

function fillColumns(columns: readonly Numbers[], bytes: Uint8Array): void {
  let at = 0;
  for (const column of columns) {
    finishSteps(readNumbers(column, bytes, at));
    at += column.byteLength;
  }
}
