/**
 * Names come from strangers. A character that nobody sees makes one name look like another, and one that turns the direction of writing shows the text behind
 * the name in another order. Whatever a person reads goes through here; what a program reads (statements, exported data, keys, filters) keeps the exact name.
 */

/**
 * What has no shape of its own: control and format characters, half a character, ends of lines and paragraphs, every blank but the ordinary one, and what
 * fonts leave out (fillers, joiners, variation selectors, tags). The blank of Braille has a shape by name only.
 */
const INVISIBLE = String.raw`[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]|(?! )\p{Zs}`;

/**
 * Emoji as people write them: the selector of the coloured form, a skin colour, and joiners between pictures belong to the one sign that is seen, so they
 * stay. A joiner in Persian or Hindi is written out: honest before pretty, because it can be told by no font whether it changes what is seen.
 */
const PICTURE = String.raw`\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?`;
const EMOJI = String.raw`${PICTURE}(?:\u200d${PICTURE})*|[0-9#*]\ufe0f\u20e3`;

const HIDDEN = new RegExp(`(${EMOJI})|${INVISIBLE}`, 'gu');
const PLAIN = /^[ -~]*$/;

/** The text with `<U+202E>` in place of each character that cannot be seen. A second time changes nothing. */
export function makeVisible(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replace(HIDDEN, (found, emoji: string | undefined) => emoji ?? nameCodePoint(found));
}

function nameCodePoint(character: string): string {
  return `<U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Whether a filter finds the text: by what it is, or by what is shown of it. @param wanted in lower case */
export function hasText(text: string, wanted: string): boolean {
  if (text.toLowerCase().includes(wanted)) return true;
  return !PLAIN.test(text) && makeVisible(text).toLowerCase().includes(wanted);
}
