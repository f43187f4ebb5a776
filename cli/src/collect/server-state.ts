/** How to go on with a server in the next run: its capture without what the lake has, and the facts written last. */
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

/** Checkpoints and lone events of this time before what was settled stay: rows read again are known by them. */
const TAIL_MS = 10 * 60_000;
const NEW_LINE = 10;

export function encodeState({ capture, ...head }: CollectState): Uint8Array {
  const line = Buffer.from(`${JSON.stringify({ version: STATE_VERSION, ...head })}\n`, 'utf8');
  const body = capture === null ? [] : [finishSteps(encodeCapture({ ...capture, serverLabel: '' }))];
  return Buffer.concat([line, ...body]);
}

/** What can be read of it. `problems`: what cannot, one sentence each. */
export function decodeState(bytes: Uint8Array) {
  const end = bytes.indexOf(NEW_LINE);
  const { head, problems, isLater } = readHead(end < 0 ? bytes : bytes.subarray(0, end));
  const body = end < 0 || isLater ? new Uint8Array(0) : bytes.subarray(end + 1);
  const { capture, problem } =
    body.length === 0 ? { capture: null, problem: null } : finishSteps(decodeCapture(body));
  const said = [...problems, ...(problem === null ? [] : [`its capture cannot be read: ${problem}`])];
  const state: CollectState = { ...head, capture };
  return { state, problems: said.map((each) => `The state of the server: ${each}.`) };
}

/**
 * The capture as it goes on: without checkpoints and lone events of the lake, its account begun with those that stay.
 * @param beginsUtcMs see StateHead: what was before counts as observed by the earlier capture alone
 */
export function lightenCapture(record: KeptRecord, beginsUtcMs: number | null): KeptRecord | null {
  if (record.state === null || record.following === null) return null;
  const beginOn = <T extends TimeWindow>(time: T) => ({ ...time, beginUtcMs: cutBegin(time, beginsUtcMs) });
  const { plain, columns, unpaired, pending } = record.state;
  const fromUtcMs = (plain.horizonUtcMs ?? -Infinity) - TAIL_MS;
  const isLate = (row: number): boolean =>
    (columns.beginUtcMs[row] as number) + (columns.durationMs[row] as number) >= fromUtcMs;
  const light = finishSteps(selectRows(columns, isLate));
  const alone = takeEvents(unpaired, fromUtcMs);
  const waiting = pending.atUtcMs.subarray(0, pending.rows);
  const earliest = waiting.reduce((least, atUtcMs) => Math.min(least, atUtcMs), fromUtcMs);
  const rowsRead = 2 * light.rows + alone.rows + pending.rows;
  const gaps = plain.gaps.filter(({ endUtcMs }) => endUtcMs >= earliest);
  const observed = plain.observed && beginOn(plain.observed);
  const noRows = { duplicates: 0, malformedCount: 0, malformed: [], otherByName: [] };
  const state: CaptureState = {
    ...record.state,
    columns: light,
    unpaired: alone,
    plain: { ...plain, observed, gaps, rowsRead, ...noRows },
  };
  const { open, held } = record.ledger;
  const none = { duplicates: 0, malformed: 0, other: 0, otherByName: new Map<string, number>() };
  const ledger: Ledger = { rowsRead, checkpoints: light.rows, unpaired: alone.rows, ...none, open, held };
  const begin = Math.max(record.following.beginUtcMs, beginsUtcMs ?? 0);
  const following = { ...record.following, beginUtcMs: begin };
  const observation = record.observation && beginOn(record.observation);
  return { ...record, columns: light, ledger, observation, state, following, sections: [] };
}

/** When a time begins of which all before `beginsUtcMs` is another's. */
export const cutBegin = ({ beginUtcMs, endUtcMs }: TimeWindow, beginsUtcMs: number | null): number =>
  Math.max(beginUtcMs, Math.min(beginsUtcMs ?? beginUtcMs, endUtcMs));

function takeEvents({ rows, ...columns }: UnpairedColumns, fromUtcMs: number): UnpairedColumns {
  const isTaken = (_: number, row: number): boolean =>
    row < rows && (columns.atUtcMs[row] as number) >= fromUtcMs;
  const atUtcMs = columns.atUtcMs.filter(isTaken);
  const databaseId = columns.databaseId.filter(isTaken);
  const reason = columns.reason.filter(isTaken);
  return { rows: atUtcMs.length, atUtcMs, databaseId, reason };
}
