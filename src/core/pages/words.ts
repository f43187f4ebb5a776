/** Sentences in which some words are strong. */
import { fillText } from '../language';

/** A piece of a sentence. A reader looks for the strong ones. */
export interface Words {
  readonly text: string;
  readonly weight: 'strong' | 'plain';
}

/** A name, and a text that explains it. */
export interface Named {
  readonly name: string;
  readonly text: string;
}

/** Lines of words as one. Empty ones are left out. */
export function joinLines(lines: readonly (readonly Words[])[]): readonly Words[] {
  return lines
    .filter((line) => line.length > 0)
    .flatMap((line, at) => (at === 0 ? line : [plain(' '), ...line]));
}

/**
 * A text in the user's language, with its strong words between `**`. It is taken apart before the values are put in: a
 * value may hold anything.
 */
export function readEmphasis(text: string, ...values: readonly (string | number)[]): readonly Words[] {
  const parts = text.split('**').map((part, at): Words => ({
    text: fillText(part, ...values),
    weight: at % 2 === 1 ? 'strong' : 'plain',
  }));
  return parts.filter((part) => part.text !== '');
}

const plain = (text: string): Words => ({ text, weight: 'plain' });

/** A line without strong words; of '' none. */
export const plainLine = (text: string): readonly Words[] => (text === '' ? [] : [plain(text)]);

/** "**Log writes wait:** 17 ms during checkpoints." */
export function emphasizeBegin(text: string): readonly Words[] {
  const end = text.indexOf(':') + 1;
  return [{ text: text.slice(0, end), weight: 'strong' }, plain(text.slice(end))];
}
