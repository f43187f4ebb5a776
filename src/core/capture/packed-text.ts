/** A text of eight characters or more as floats of eight bytes, the last of which may overlap the one before. */
export interface PackedText {
  readonly length: number;
  readonly words: Float64Array;
}

/** Packs ASCII text of eight characters or more. */
export function packText(text: string): PackedText {
  return packBytes(Uint8Array.from(text, (character) => character.charCodeAt(0)));
}

/** Packs eight bytes or more, which nothing else in their buffer surrounds. */
export function packBytes({ buffer, length }: Uint8Array): PackedText {
  const view = new DataView(buffer);
  const words = Float64Array.from({ length: Math.ceil(length / 8) }, (_, i) => view.getFloat64(Math.min(8 * i, length - 8), true));
  return { length, words };
}
