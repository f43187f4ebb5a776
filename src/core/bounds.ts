/** Numbers that come from outside, held to bounds. */
import { formatCount } from './format';
import { fillText, t } from './language';

/** Both may be. */
export interface Bounds {
  readonly least: number;
  readonly most: number;
}

/**
 * Seconds for name, connection and login together. Ours, about a day: Node's timers end at 2,147,483 and count what is
 * longer as 1 ms.
 */
export const MOST_CONNECT_SECONDS = 99_999;

const WHOLE = t('Give a whole number from {0} to {1}.');

/** Why this is no whole number within the bounds, as one sentence that names them in {0} and {1}; null if it is one. */
export function explainWhole(value: unknown, { least, most }: Bounds, sentence = WHOLE): string | null {
  if (typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most) return null;
  return fillText(sentence, formatCount(least), formatCount(most));
}

/**
 * The number that a text writes; NaN if it writes none, also if it is empty. Digits only: '1e3' and '0x10' are numbers
 * to JavaScript, not to a reader.
 */
export function readNumber(text: string): number {
  return /^\s*-?\d+(\.\d+)?\s*$/.test(text) ? Number(text) : NaN;
}
