import type { Observation } from '../capture/checkpoint-columns';
import { findFirst } from '../sorted';

/** Half-open. */
export interface TimeWindow {
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
}

/** Half-open pieces of time, in order and apart from each other. Begins are at even positions, ends at odd ones. */
export type TimePieces = Float64Array;

/** The observed part of the window: what it has in common with the observation, less the gaps and what is left out. */
export function findObservedPieces(window: TimeWindow, observation: Observation): TimePieces {
  const pieces: number[] = [];
  const endUtcMs = Math.min(window.endUtcMs, observation.endUtcMs);
  let from = Math.max(window.beginUtcMs, observation.beginUtcMs);
  const gaps = [...observation.gaps, ...(observation.leftOut ?? [])].sort(
    (a, b) => a.beginUtcMs - b.beginUtcMs,
  );
  for (const gap of gaps) {
    if (gap.endUtcMs <= from || gap.endUtcMs <= gap.beginUtcMs) continue;
    if (gap.beginUtcMs > from && from < endUtcMs) pieces.push(from, Math.min(gap.beginUtcMs, endUtcMs));
    from = gap.endUtcMs;
  }
  if (from < endUtcMs) pieces.push(from, endUtcMs);
  return Float64Array.from(pieces);
}

/** The time between pieces. */
export function findBetween(pieces: TimePieces | readonly number[]): readonly TimeWindow[] {
  return Array.from({ length: Math.max(0, pieces.length / 2 - 1) }, (_, at) => ({
    beginUtcMs: pieces[2 * at + 1] ?? 0,
    endUtcMs: pieces[2 * at + 2] ?? 0,
  }));
}

/** Less than this share of the time was observed: a picture of all of it would show next to nothing. */
const LITTLE_SHARE = 0.1;

/** The last stretch without a gap, of a capture that is mostly gaps; null if all of it is worth showing. */
export function findLastStretch(observation: Observation): TimeWindow | null {
  const pieces = findObservedPieces(observation, observation);
  const [beginUtcMs, endUtcMs] = pieces.slice(-2);
  const isMuch = sumPieces(pieces) >= LITTLE_SHARE * (observation.endUtcMs - observation.beginUtcMs);
  return isMuch || beginUtcMs === undefined || endUtcMs === undefined ? null : { beginUtcMs, endUtcMs };
}

/** Adds an interval that begins no earlier than the last piece. If they overlap or touch, they become one. */
export function joinPiece(pieces: number[], beginUtcMs: number, endUtcMs: number): void {
  const last = pieces.length - 1;
  if (last > 0 && beginUtcMs <= (pieces[last] ?? 0)) pieces[last] = Math.max(pieces[last] ?? 0, endUtcMs);
  else pieces.push(beginUtcMs, endUtcMs);
}

/** Milliseconds in all pieces. */
export function sumPieces(pieces: TimePieces): number {
  let sumMs = 0;
  for (let i = 0; i + 1 < pieces.length; i += 2) sumMs += (pieces[i + 1] ?? 0) - (pieces[i] ?? 0);
  return sumMs;
}

/**
 * Milliseconds of the pieces that are covered by at least one interval. If the begins are not in order, begins and ends
 * are each sorted, in place. Which end belongs to which begin does not matter: a covered stretch ends exactly where the
 * next begin comes after all ends so far.
 */
export function measureUnion(begins: Float64Array, ends: Float64Array, pieces: TimePieces): number {
  if (!isSorted(begins)) {
    begins.sort();
    ends.sort();
  }
  let coveredMs = 0;
  let piece = 0;
  for (let i = 0; i < begins.length;) {
    const stretchBegin = begins[i] ?? 0;
    let stretchEnd = ends[i] ?? 0;
    for (i++; i < begins.length && (begins[i] ?? 0) <= stretchEnd; i++)
      stretchEnd = Math.max(stretchEnd, ends[i] ?? 0);
    while (piece < pieces.length && (pieces[piece + 1] ?? 0) <= stretchBegin) piece += 2;
    for (let p = piece; p < pieces.length && (pieces[p] ?? 0) < stretchEnd; p += 2) {
      coveredMs += Math.min(stretchEnd, pieces[p + 1] ?? 0) - Math.max(stretchBegin, pieces[p] ?? 0);
    }
  }
  return coveredMs;
}

/**
 * Gives the milliseconds of the pieces before any moment. The difference of two moments is how much of the time between
 * them lies in the pieces.
 */
export function createPieceMeter(pieces: TimePieces): (utcMs: number) => number {
  const [begin = 0, end = 0] = pieces;
  if (pieces.length <= 2) return (utcMs) => (utcMs <= begin ? 0 : Math.min(utcMs, end) - begin);
  const before = new Float64Array(pieces.length / 2);
  for (let i = 1; i < before.length; i++)
    before[i] = (before[i - 1] ?? 0) + (pieces[2 * i - 1] ?? 0) - (pieces[2 * i - 2] ?? 0);
  return (utcMs) => {
    const piece = countBegun(pieces, utcMs) - 1;
    if (piece < 0) return 0;
    return (before[piece] ?? 0) + Math.min(utcMs, pieces[2 * piece + 1] ?? 0) - (pieces[2 * piece] ?? 0);
  };
}

/** Whether a moment lies in one of the pieces. */
export function isInPieces(pieces: TimePieces, utcMs: number): boolean {
  return findPiece(pieces, utcMs) >= 0;
}

/** Number of the piece that a moment lies in, from 0; -1 if in none. */
export function findPiece(pieces: TimePieces, utcMs: number): number {
  const piece = countBegun(pieces, utcMs) - 1;
  return piece >= 0 && utcMs < (pieces[2 * piece + 1] ?? 0) ? piece : -1;
}

/** How many pieces begin at that moment or before it. */
function countBegun(pieces: TimePieces, utcMs: number): number {
  return findFirst(0, pieces.length / 2, (piece) => (pieces[2 * piece] ?? 0) > utcMs);
}

/** Columns are mostly in order already, and a look costs much less than sorting. */
function isSorted(times: Float64Array): boolean {
  for (let i = 1; i < times.length; i++) if ((times[i] ?? 0) < (times[i - 1] ?? 0)) return false;
  return true;
}
