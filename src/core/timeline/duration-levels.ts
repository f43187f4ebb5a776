/**
 * Duration on a fixed logarithmic scale from 10 ms to 100 s, in steps. Pictures hold the code of a duration: one byte
 * that grows with the duration, so that the largest of many codes is the code of the longest.
 *
 *   10 ms ├────────┼────────┼────────┼──────┆─┤ 100 s      ┆ recovery interval, 60 s
 *   code  1 3 5 7 ...                       112 114 .. 128
 */
const SHORTEST_MS = 10;
const LONGEST_MS = 100_000;
const DECADES = Math.log10(LONGEST_MS / SHORTEST_MS);

/** Steps of colour and height; an eye cannot tell more apart. */
export const COLOUR_STEPS = 64;

/** Codes are below this; 0 means nothing. */
export const CODES = 1 + 2 * COLOUR_STEPS;

/** Position of a duration on the scale, 0 to 1. A duration beyond an end is at that end. */
export function positionOnScale(durationMs: number): number {
  return Math.min(1, Math.max(0, Math.log10(Math.max(durationMs, 1) / SHORTEST_MS) / DECADES));
}

/** The step of colour and height of a duration, 0 to LEVELS - 1. */
export function levelOfDuration(durationMs: number): number {
  return Math.min(COLOUR_STEPS - 1, Math.floor(positionOnScale(durationMs) * COLOUR_STEPS));
}

/** The code of a duration in whole milliseconds: 1 plus twice its level, and 1 more from the recovery interval on. */
export function codeOfDuration(durationMs: number, recoveryIntervalMs: number): number {
  levelTable ??= Uint8Array.from({ length: LONGEST_MS }, (_, ms) => levelOfDuration(ms));
  const level = levelTable[durationMs] ?? COLOUR_STEPS - 1;
  return 1 + 2 * level + (durationMs >= recoveryIntervalMs ? 1 : 0);
}

/** The level of a code above 0. */
export const levelOfCode = (code: number): number => (code - 1) >> 1;

/** Whether the longest checkpoint of a code above 0 lasted at least the recovery interval. */
export const isBeyondInterval = (code: number): boolean => (code & 1) === 0;

/**
 * Levels of whole milliseconds up to the longest. A logarithm for each of millions of checkpoints would be most of
 * their cost.
 */
let levelTable: Uint8Array | undefined;
