/**
 * The one door for texts that a person reads on the screen. English stands in the code;
 * `l10n/bundle.l10n.<language>.json` has the same texts in other languages. T-SQL scripts stay English: they are kept,
 * hashed and read by colleagues who may use another language.
 */
import { t } from '@vscode/l10n';

/**
 * The text in the user's language: `t('{0} of {1}', done, all)`. The first argument is a literal; a test finds each and
 * compares it with the bundles. It is a whole sentence where it can be: other languages have another order.
 */
export { t };

/** Sentences as a list. Empty ones are left out. */
export const listSentences = (...sentences: readonly string[]): readonly string[] =>
  sentences.filter((sentence) => sentence !== '');

/** Sentences after each other. Empty ones are left out. */
export const joinSentences = (...sentences: readonly string[]): string =>
  listSentences(...sentences).join(' ');

/** As a sentence: with a full stop, unless it ends already. */
export const endSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);

/** Puts values in the places {0}, {1}, ... of a text that is in the user's language already. */
export function fillText(text: string, ...values: readonly (string | number)[]): string {
  return text.replace(/\{(\d+)\}/g, (place, index: string) => String(values[Number(index)] ?? place));
}
