/** Values that came from outside, with one part that is not as it should be. */
import { type Chance, pick } from '../core/errorlog/disturbed-log';

export const STRANGE: readonly unknown[] = [
  ...[undefined, null, true, NaN, Infinity, -1, 0, 0.5, 1, 5, 1e9, 1e15],
  ...['', 'ready', '5', '__proto__', [], [0.5], [null], {}, { type: 'ready' }, { length: 2 }],
  ...[new ArrayBuffer(0), new ArrayBuffer(8), new Uint8Array(8), new ArrayBuffer(1_000_001)],
];

/** A copy with one part exchanged for something strange, for a part of elsewhere in it, or left out. */
export function disturb(chance: Chance, message: unknown, deeper = 0.8): unknown {
  const fields =
    message !== null && typeof message === 'object' && !(message instanceof ArrayBuffer)
      ? Object.keys(message)
      : [];
  if (fields.length === 0 || chance() > deeper) return pick(chance, STRANGE);
  const name = pick(chance, fields);
  const value = (message as Record<string, unknown>)[name];
  const exchanged =
    chance() < 0.1 ? (message as Record<string, unknown>)[pick(chance, fields)] : disturb(chance, value);
  if (Array.isArray(message))
    return message.map((one: unknown, at) => (String(at) === name ? exchanged : one));
  return { ...(message as object), [name]: exchanged };
}
