/**
 * Reads messages by a server's own sentences, from sys.messages. English ones hold `%d`, `%ls`, `%.*ls`, `%I64d`,
 * `%#016I64x`; translated ones the number of the English value, `%1!` (Microsoft Learn, "sp_addmessage"). Their order
 * differs, and French has no-break spaces before colons (docs/facts.md, SQL Server 5).
 */
import {
  createMessage,
  isNumber,
  type MessageId,
  MESSAGE_IDS,
  type NumberedMessage,
} from './error-log-message';

/** One row of sys.messages. */
export interface MessageTemplate {
  readonly messageId: number;
  /** 1033: English. */
  readonly languageId: number;
  readonly text: string;
}

/** Reads texts by given sentences. */
type TemplateReader = (text: string) => NumberedMessage | null;

interface Sentence {
  readonly id: MessageId;
  readonly pattern: RegExp;
  /** A word of every such sentence, to skip other texts quickly. */
  readonly word: string;
  /** Which value each part of the pattern is. The first in the English sentence is 0. */
  readonly order: readonly number[];
  readonly isFourthNamed: boolean;
}

const PLACE =
  /%(?:(\d{1,2})!|[-+ 0#]*(?:[1-9]\d*)?(?:\.(?:\d+|\*))?(?:I64|I32|ll|l|h|w)?[diouxXsSpc](?:_[A-Z]+)?)/g;
/** None of these is longer. In a longer text a pattern with several open ends could take very long. */
const LONGEST_TEXT = 2_000;
/**
 * This many characters after the last value must be there: logs are cut, and the end of a sentence varies with the
 * version.
 */
const TAIL = 3;

/** Leaves out other messages, and sentences without a value or without a word. */
export function createTemplateReader(templates: readonly MessageTemplate[]): TemplateReader {
  const sentences = templates.flatMap((template) => createSentence(template) ?? []);
  return (text) => {
    if (text.length > LONGEST_TEXT) return null;
    for (const sentence of sentences) {
      const match = text.includes(sentence.word) ? sentence.pattern.exec(text) : null;
      const message = match && createMessage(sentence.id, orderValues(sentence, match), 'template');
      if (message) return message;
    }
    return null;
  };
}

function createSentence({ messageId, text }: MessageTemplate): Sentence | null {
  const id = MESSAGE_IDS.find((each) => each === messageId);
  const places = [...text.matchAll(PLACE)];
  if (id === undefined || places.length === 0) return null;
  const order = places.map((place, at) => (place[1] === undefined ? at : Number(place[1]) - 1));
  const literals = cutLiterals(text, places);
  const word = findWord(literals);
  if (word === null) return null;
  const parts = literals.map((literal, at) => {
    const place = order[at];
    const value = place === undefined ? '' : isNumber(id, place) ? '(\\d{1,15})' : '(.*?)';
    return writeLiteral(at === literals.length - 1 ? literal.slice(0, TAIL) : literal) + value;
  });
  const fourth = order.indexOf(3);
  const isFourthNamed = /\[\s*$/.test(literals[fourth] ?? '');
  // If hardly anything follows the last value, the match must reach the end of the text.
  const end = (literals[literals.length - 1] ?? '').length <= TAIL ? '?\\s*$' : '';
  return { id, pattern: new RegExp(`^\\s*${parts.join('')}${end}`, 's'), word, order, isFourthNamed };
}

function cutLiterals(text: string, places: readonly RegExpMatchArray[]): readonly string[] {
  let from = 0;
  const literals = places.map((place) => {
    const literal = text.slice(from, place.index);
    from = (place.index ?? 0) + place[0].length;
    return literal;
  });
  return [...literals, text.slice(from)].map((literal) => literal.replace(/%%/g, '%'));
}

function findWord(literals: readonly string[]): string | null {
  // The text after the last value may be cut off, so it does not count.
  const words = literals.slice(0, -1).flatMap((literal) => literal.split(/\s+/));
  const longest = words.reduce((best, word) => (word.length > best.length ? word : best), '');
  return longest.length < 2 ? null : longest;
}

function writeLiteral(literal: string): string {
  return literal.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&').replace(/\s+/g, '\\s+');
}

function orderValues(
  { id, order, isFourthNamed }: Sentence,
  match: RegExpExecArray,
): readonly (string | undefined)[] {
  const values: (string | undefined)[] = [];
  order.forEach((place, at) => (values[place] = match[at + 1]));
  if (id !== 833) return values;
  const [occurrences, seconds, file, fourth, fifth] = values;
  return isFourthNamed
    ? [occurrences, seconds, file, fourth, fifth]
    : [occurrences, seconds, file, undefined, fourth, values[6]];
}
