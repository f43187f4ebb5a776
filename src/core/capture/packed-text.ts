/** Characters that are compared at once. */
export const BLOCK = 32;

/** A text of eight characters or more as floats of eight bytes, the last of which may overlap the one before. */
export interface PackedText {
  readonly length: number;
  readonly words: Float64Array;
  /** The first and the last 32 characters, where there are as many. */
  readonly blocks: Float64Array;
}

/** Packs ASCII text of eight characters or more. */
export function packText(text: string): PackedText {
  return packBytes(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

/** Packs eight bytes or more, which nothing else in their buffer surrounds. */
export function packBytes({ buffer, length }: Uint8Array): PackedText {
  const view = new DataView(buffer);
  const wordAt = (at: number): number => view.getFloat64(Math.min(Math.max(at, 0), length - 8), true);
  const words = Float64Array.from({ length: Math.ceil(length / 8) }, (_, i) => wordAt(8 * i));
  const blocks = Float64Array.from({ length: 8 }, (_, i) => wordAt(i < 4 ? 8 * i : length - BLOCK + 8 * (i - 4)));
  return { length, words, blocks };
}
