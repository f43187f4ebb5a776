/** Characters that cannot be seen, or that turn the text behind them: one of each kind that a stranger can put into a name. */
const RANGES: readonly (readonly [number, number])[] = [
  // Control characters, ends of lines among them.
  [0x01, 0x01],
  [0x09, 0x0d],
  [0x1b, 0x1b],
  [0x7f, 0x7f],
  [0x85, 0x85],
  [0x2028, 0x2029],
  // Direction of writing.
  [0x061c, 0x061c],
  [0x200e, 0x200f],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  // No width at all.
  [0x00ad, 0x00ad],
  [0x034f, 0x034f],
  [0x180e, 0x180e],
  [0x200b, 0x200d],
  [0x2060, 0x2064],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
  // Fillers.
  [0x115f, 0x1160],
  [0x2800, 0x2800],
  [0x3164, 0x3164],
  [0xffa0, 0xffa0],
  // Variation selectors and tags.
  [0xfe00, 0xfe00],
  [0xfe0f, 0xfe0f],
  [0xe0100, 0xe0100],
  [0xe0001, 0xe0001],
  [0xe0041, 0xe0041],
  // Halves of characters.
  [0xd83d, 0xd83d],
  [0xdc00, 0xdc00],
  // Blanks that are taken for the ordinary one.
  [0x00a0, 0x00a0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
];

const CODES = RANGES.flatMap(([first, last]) => Array.from({ length: last - first + 1 }, (_, at) => first + at));

export const INVISIBLE_CHARACTERS: readonly string[] = CODES.map((code) => String.fromCodePoint(code));

/** Belongs to an emoji: a joiner between pictures, the selector of the coloured form, that of a key. */
const IN_EMOJI =
  /(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})|(?<=\p{Extended_Pictographic})\ufe0f|(?<=[0-9#*])\ufe0f(?=\u20e3)/gu;

/** The code points of the text that nobody sees; emoji aside. */
export function listInvisible(text: string): readonly string[] {
  const invisible = new Set(CODES);
  return [...text.replace(IN_EMOJI, '')].flatMap((character) => {
    const code = character.codePointAt(0) ?? 0;
    return invisible.has(code) || (code >= 0xd800 && code <= 0xdfff) ? [code.toString(16)] : [];
  });
}
