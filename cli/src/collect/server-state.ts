/** How to go on with one server in the next run: its capture without what the lake has already, and the facts that were written last. */
import { decodeCapture, encodeCapture } from '../../../src/captures/capture-format';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import type { CaptureState } from '../../../src/core/capture/capture-state';
import type { CheckpointColumns } from '../../../src/core/capture/checkpoint-columns';
import type { Ledger } from '../../../src/core/capture/ledger';
import type { UnpairedColumns } from '../../../src/core/pairing/unpaired';
import { finishSteps } from '../../../src/core/steps';
import { NO_ATTEMPTS } from './attempts';
import { readHead, type StateHead } from './state-head';

export interface ServerState extends Required<StateHead> {
  /** null: no capture can go on. */
  readonly capture: KeptRecord | null;
}

/** Checkpoints and lone events that ended later than this before what was settled stay in the state: rows that are read again are known by them. */
const TAIL_MS = 10 * 60_000;
const NEW_LINE = 10;

export function encodeState({ facts, answersUtcMs, capture, attempts, log }: ServerState): Uint8Array {
  const head = Buffer.from(`${JSON.stringify({ facts, answersUtcMs, attempts, log })}\n`, 'utf8');
  const body = capture === null ? new Uint8Array(0) : finishSteps(encodeCapture({ ...capture, serverLabel: '' }));
  return Buffer.concat([head, body]);
}

/** @throws Error with one sentence if it cannot be read */
export function decodeState(bytes: Uint8Array): ServerState {
  const end = bytes.indexOf(NEW_LINE);
  const head = readHead(bytes.subarray(0, end));
  if (head === null) throw new Error('The state of the server cannot be read: its first line is damaged.');
  const known = { ...head, attempts: head.attempts ?? NO_ATTEMPTS, log: head.log ?? null };
  if (end + 1 === bytes.length) return { ...known, capture: null };
  const { capture, problem } = finishSteps(decodeCapture(bytes.subarray(end + 1)));
  if (capture === null) throw new Error(`The state of the server cannot be read: ${problem}.`);
  return { ...known, capture };
}

/** The capture as it goes on: without checkpoints and lone events that are in the lake, and with an account that begins with those that stay. */
export function lightenCapture(record: KeptRecord): KeptRecord | null {
  if (record.state === null || record.following === null) return null;
  const { plain, columns, unpaired, pending } = record.state;
  const fromUtcMs = (plain.horizonUtcMs ?? -Infinity) - TAIL_MS;
  const light = takeRows(columns, (row) => (columns.beginUtcMs[row] as number) + (columns.durationMs[row] as number) >= fromUtcMs);
  const alone = takeEvents(unpaired, fromUtcMs);
  const earliest = pending.atUtcMs.subarray(0, pending.rows).reduce((least, atUtcMs) => Math.min(least, atUtcMs), fromUtcMs);
  const rowsRead = 2 * light.rows + alone.rows + pending.rows;
  const gaps = plain.gaps.filter(({ endUtcMs }) => endUtcMs >= earliest);
  const state: CaptureState = {
    ...record.state,
    columns: light,
    unpaired: alone,
    scans: { ...record.state.scans, rows: 0 },
    plain: { ...plain, gaps, rowsRead, duplicates: 0, malformedCount: 0, malformed: [], otherByName: [] },
  };
  const { open, held } = record.ledger;
  const none = { duplicates: 0, malformed: 0, other: 0, otherByName: new Map<string, number>() };
  const ledger: Ledger = { rowsRead, checkpoints: light.rows, unpaired: alone.rows, ...none, open, held };
  return { ...record, columns: light, ledger, state, sections: [] };
}

function takeRows(columns: CheckpointColumns, isTaken: (row: number) => boolean): CheckpointColumns {
  const rows = Array.from({ length: columns.rows }, (_, row) => row).filter(isTaken);
  const { task } = columns;
  return {
    rows: rows.length,
    beginUtcMs: Float64Array.from(rows, (row) => columns.beginUtcMs[row] as number),
    durationMs: Uint32Array.from(rows, (row) => columns.durationMs[row] as number),
    database: Uint16Array.from(rows, (row) => columns.database[row] as number),
    ...(task === undefined ? {} : { task: Uint16Array.from(rows, (row) => task[row] as number) }),
  };
}

function takeEvents({ rows, atUtcMs, databaseId, reason }: UnpairedColumns, fromUtcMs: number): UnpairedColumns {
  const taken = Array.from({ length: rows }, (_, row) => row).filter((row) => (atUtcMs[row] as number) >= fromUtcMs);
  return {
    rows: taken.length,
    atUtcMs: Float64Array.from(taken, (row) => atUtcMs[row] as number),
    databaseId: Int32Array.from(taken, (row) => databaseId[row] as number),
    reason: Uint8Array.from(taken, (row) => reason[row] as number),
  };
}
