import type { Observation } from '../capture/checkpoint-columns';
import type { TimeWindow } from './statistics';

/** Half-open pieces of time, in order and apart from each other: begins and ends at even and odd positions. */
export type TimePieces = Float64Array;

/** What of the window was observed: window and observation in common, less the gaps. Overlapping gaps count once. */
export function findObservedPieces(window: TimeWindow, observation: Observation): TimePieces {
  const pieces: number[] = [];
  const endUtcMs = Math.min(window.endUtcMs, observation.endUtcMs);
  let from = Math.max(window.beginUtcMs, observation.beginUtcMs);
  const gaps = [...observation.gaps].sort((a, b) => a.beginUtcMs - b.beginUtcMs);
  for (const gap of gaps) {
    if (gap.endUtcMs <= from || gap.endUtcMs <= gap.beginUtcMs) continue;
    if (gap.beginUtcMs > from && from < endUtcMs) pieces.push(from, Math.min(gap.beginUtcMs, endUtcMs));
    from = gap.endUtcMs;
  }
  if (from < endUtcMs) pieces.push(from, endUtcMs);
  return Float64Array.from(pieces);
}

/** Milliseconds in all pieces. */
export function sumPieces(pieces: TimePieces): number {
  let sumMs = 0;
  for (let i = 0; i + 1 < pieces.length; i += 2) sumMs += (pieces[i + 1] ?? 0) - (pieces[i] ?? 0);
  return sumMs;
}

/**
 * Milliseconds of the pieces that are covered by at least one interval. Begins and ends are each sorted by themselves (in place): where
 * the k-th begin comes after the k-1-th end, no interval spans the moment between, so a covered stretch ends there.
 */
export function measureUnion(begins: Float64Array, ends: Float64Array, pieces: TimePieces): number {
  sortTimes(begins);
  sortTimes(ends);
  let coveredMs = 0;
  let piece = 0;
  let from = 0;
  for (let i = 0; i < ends.length; i++) {
    const next = begins[i + 1];
    if (next !== undefined && next <= (ends[i] ?? 0)) continue;
    const stretchBegin = begins[from] ?? 0;
    const stretchEnd = ends[i] ?? 0;
    from = i + 1;
    while (piece < pieces.length && (pieces[piece + 1] ?? 0) <= stretchBegin) piece += 2;
    for (let p = piece; p < pieces.length && (pieces[p] ?? 0) < stretchEnd; p += 2) {
      coveredMs += Math.min(stretchEnd, pieces[p + 1] ?? 0) - Math.max(stretchBegin, pieces[p] ?? 0);
    }
  }
  return coveredMs;
}

/** Most columns are in order already, and looking is much cheaper than sorting. */
function sortTimes(times: Float64Array): void {
  for (let i = 1; i < times.length; i++) {
    if ((times[i] ?? 0) < (times[i - 1] ?? 0)) {
      times.sort();
      return;
    }
  }
}
