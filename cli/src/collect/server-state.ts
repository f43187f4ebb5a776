/**
 * How to go on with one server in the next run: its capture without what the lake has already, and the facts that were
 * written last.
 */
import { decodeCapture, encodeCapture } from '../../../src/captures/capture-format';
import type { KeptRecord } from '../../../src/core/capture/capture-record';
import type { CaptureState } from '../../../src/core/capture/capture-state';
import { selectRows } from '../../../src/core/capture/checkpoint-columns';
import type { Ledger } from '../../../src/core/capture/ledger';
import type { UnpairedColumns } from '../../../src/core/pairing/unpaired';
import type { TimeWindow } from '../../../src/core/statistics/observed-time';
import { finishSteps } from '../../../src/core/steps';
import { readHead, STATE_VERSION, type StateHead } from './state-head';

export interface CollectState extends StateHead {
  /** null: no capture can go on. */
  readonly capture: KeptRecord | null;
}

/**
 * Checkpoints and lone events that ended later than this before what was settled stay in the state: rows that are read
 * again are known by them.
 */
const TAIL_MS = 10 * 60_000;
const NEW_LINE = 10;

export function encodeState({ capture, ...head }: CollectState): Uint8Array {
  const line = Buffer.from(`${JSON.stringify({ version: STATE_VERSION, ...head })}\n`, 'utf8');
  const body =
    capture === null ? new Uint8Array(0) : finishSteps(encodeCapture({ ...capture, serverLabel: '' }));
  return Buffer.concat([line, body]);
}

/** What can be read of it. `problems`: what cannot, one sentence each. */
export function decodeState(bytes: Uint8Array): {
  readonly state: CollectState;
  readonly problems: readonly string[];
} {
  const end = bytes.indexOf(NEW_LINE);
  const { head, problems, isLater = false } = readHead(end < 0 ? bytes : bytes.subarray(0, end));
  const body = end < 0 || isLater ? new Uint8Array(0) : bytes.subarray(end + 1);
  const { capture, problem } =
    body.length === 0 ? { capture: null, problem: null } : finishSteps(decodeCapture(body));
  const said = [...problems, ...(problem === null ? [] : [`its capture cannot be read: ${problem}`])];
  return { state: { ...head, capture }, problems: said.map((each) => `The state of the server: ${each}.`) };
}

/**
 * The capture as it goes on: without checkpoints and lone events that are in the lake, and with an account that begins
 * with those that stay.
 * @param beginsUtcMs see StateHead: what was before counts as observed by the earlier capture alone
 */
export function lightenCapture(record: KeptRecord, beginsUtcMs: number | null): KeptRecord | null {
  if (record.state === null || record.following === null) return null;
  const beginOn = <T extends TimeWindow>(time: T): T => ({
    ...time,
    beginUtcMs: cutBegin(time, beginsUtcMs),
  });
  const { plain, columns, unpaired, pending } = record.state;
  const fromUtcMs = (plain.horizonUtcMs ?? -Infinity) - TAIL_MS;
  const isLate = (row: number): boolean =>
    (columns.beginUtcMs[row] as number) + (columns.durationMs[row] as number) >= fromUtcMs;
  const light = finishSteps(selectRows(columns, isLate));
  const alone = takeEvents(unpaired, fromUtcMs);
  const earliest = pending.atUtcMs
    .subarray(0, pending.rows)
    .reduce((least, atUtcMs) => Math.min(least, atUtcMs), fromUtcMs);
  const rowsRead = 2 * light.rows + alone.rows + pending.rows;
  const gaps = plain.gaps.filter(({ endUtcMs }) => endUtcMs >= earliest);
  const state: CaptureState = {
    ...record.state,
    columns: light,
    unpaired: alone,
    plain: {
      ...plain,
      observed: plain.observed && beginOn(plain.observed),
      gaps,
      rowsRead,
      duplicates: 0,
      malformedCount: 0,
      malformed: [],
      otherByName: [],
    },
  };
  const { open, held } = record.ledger;
  const none = { duplicates: 0, malformed: 0, other: 0, otherByName: new Map<string, number>() };
  const ledger: Ledger = { rowsRead, checkpoints: light.rows, unpaired: alone.rows, ...none, open, held };
  const following = {
    ...record.following,
    beginUtcMs: Math.max(record.following.beginUtcMs, beginsUtcMs ?? 0),
  };
  return {
    ...record,
    columns: light,
    ledger,
    observation: record.observation && beginOn(record.observation),
    state,
    following,
    sections: [],
  };
}

/** When a time begins of which all before `beginsUtcMs` is another's. */
export function cutBegin({ beginUtcMs, endUtcMs }: TimeWindow, beginsUtcMs: number | null): number {
  return Math.max(beginUtcMs, Math.min(beginsUtcMs ?? beginUtcMs, endUtcMs));
}

function takeEvents({ rows, ...columns }: UnpairedColumns, fromUtcMs: number): UnpairedColumns {
  const isTaken = (_: number, row: number): boolean =>
    row < rows && (columns.atUtcMs[row] as number) >= fromUtcMs;
  const atUtcMs = columns.atUtcMs.filter(isTaken);
  const databaseId = columns.databaseId.filter(isTaken);
  const reason = columns.reason.filter(isTaken);
  return { rows: atUtcMs.length, atUtcMs, databaseId, reason };
}
