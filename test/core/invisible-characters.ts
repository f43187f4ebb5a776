/**
 * Characters that cannot be seen, or that turn the text behind them: one of each kind that a stranger can put into a
 * name.
 */
const RANGES = [
  // Control characters, ends of lines among them.
  '01 09-0d 1b 7f 85 2028-2029',
  // Direction of writing.
  '61c 200e-200f 202a-202e 2066-2069',
  // No width at all.
  'ad 34f 180e 200b-200d 2060-2064 feff fff9-fffb',
  // Fillers.
  '115f-1160 2800 3164 ffa0',
  // Variation selectors and tags.
  'fe00 fe0f e0100 e0001 e0041',
  // Halves of characters.
  'd83d dc00',
  // Blanks that are taken for the ordinary one.
  'a0 1680 2000-200a 202f 205f 3000',
];

const CODES = RANGES.flatMap((ranges) => ranges.split(' ')).flatMap((range) => {
  const [first = NaN, last = first] = range.split('-').map((code) => parseInt(code, 16));
  return Array.from({ length: last - first + 1 }, (_, at) => first + at);
});

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
