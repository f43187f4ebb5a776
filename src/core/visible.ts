/**
 * Strangers choose names. An invisible character makes one name look like another, and a character that turns the
 * direction of writing reorders the text after the name. All that a person reads goes through here. What a program
 * reads (statements, exported data, keys, filters) keeps the exact name.
 */

/**
 * Characters without a shape of their own: control and format characters, half a character, ends of lines and
 * paragraphs, every blank but the ordinary one, and what fonts leave out (fillers, joiners, variation selectors, tags).
 * The blank of Braille has a shape by name only.
 */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}`;

/**
 * Emoji as people write them. The selector of the coloured form, a skin colour, and joiners between pictures stay,
 * because they belong to the one sign that is seen. A joiner in Persian or Hindi is written out, though it is less
 * pretty: no font tells whether it changes what is seen.
 */
const PICTURE = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?`;
const EMOJI = String.raw`${PICTURE}(?:\u200d${PICTURE})*|[0-9#*]\ufe0f\u20e3`;

const HIDDEN = new RegExp(`(${EMOJI})|${INVISIBLE}`, 'gu');
const PLAIN = /^[ -~]*$/;

/** The text with `<U+202E>` in place of each character that cannot be seen. Doing it again changes nothing. */
export function makeVisible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HIDDEN, (found, emoji: string | undefined) => emoji ?? nameCodePoint(found));
}

/**
 * The text for a place where an editor looks for markup: notices, progress, questions, lists, tabs, the status bar.
 * There `[Cancel](command:x)` is a link that acts, and `$(trash)` an icon. Doing it again changes nothing.
 */
export function makePlain(text: string): string {
  return makeVisible(text).replace(/\]\(/g, '] (').replace(/\$\(/g, '$ (');
}

function nameCodePoint(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Whether a filter finds the text, either as it is or as it is shown. @param wanted in lower case */
export function hasText(text: string, wanted: string): boolean {
  if (text.toLowerCase().includes(wanted)) return true;
  return !PLAIN.test(text) && makeVisible(text).toLowerCase().includes(wanted);
}

/** Whether a text has signs of Hebrew, Arabic or another script that is read from right to left. */
export const isRightToLeft = (text: string): boolean =>
  /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/.test(text);

/** Characters, each with the marks over and under it; an emoji or a flag of several is one. */
export const listSigns = (text: string): readonly string[] => text.match(SIGN) ?? [];
const SIGN = new RegExp(String.raw`(?:${EMOJI}|\p{RI}{2}|.)\p{M}*`, 'gsu');

/** At most that many signs, cut in the middle, since names often begin alike; no sign is halved. */
export function shorten(text: string, most: number): string {
  const signs = listSigns(text);
  if (signs.length <= most) return text;
  const [head, tail] = [Math.ceil((most - 1) / 2), Math.floor((most - 1) / 2)];
  return `${signs.slice(0, head).join('')}…${signs.slice(signs.length - tail).join('')}`;
}

/** The text with as many signs as the width has room for, cut as `shorten` cuts. @param measure width of a text */
export function fitText(text: string, width: number, measure: (text: string) => number): string {
  if (measure(text) <= width) return text;
  let [fits, least] = [1, listSigns(text).length];
  while (least - fits > 1) {
    const signs = (fits + least) >> 1;
    if (measure(shorten(text, signs)) <= width) fits = signs;
    else least = signs;
  }
  return shorten(text, fits);
}
