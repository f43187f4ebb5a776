/**
 * Reads messages by a server's own sentences, from sys.messages. English ones hold `%d`, `%ls`, `%.*ls`, `%I64d`,
 * `%#016I64x`; translated ones the number of the English value, `%1!` (Microsoft Learn, "sp_addmessage"). Their order
 * differs, and French has no-break spaces before colons (docs/facts.md, SQL Server 5).
 */
import { createMessage, isNumber, MESSAGE_IDS, type NumberedMessage } from './error-log-message';

/** One row of sys.messages. */
export interface MessageTemplate {
  readonly messageId: number;
  /** 1033: English. */
  readonly languageId: number;
  readonly text: string;
}

/** Reads texts by given sentences. */
type TemplateReader = (text: string) => NumberedMessage | null;

const PLACE =
  /%(?:(\d{1,2})!|[-+ 0#]*(?:[1-9]\d*)?(?:\.(?:\d+|\*))?(?:I64|I32|ll|l|h|w)?[diouxXsSpc](?:_[A-Z]+)?)/g;
/** None of these is longer. In a longer text a pattern with several open ends could take very long. */
const LONGEST_TEXT = 2_000;
/**
 * This many characters after the last value must be there: logs are cut, and the end of a sentence varies with the
 * version.
 */
const TAIL = 3;

export function createTemplateReader(templates: readonly MessageTemplate[]): TemplateReader {
  const readers = templates.flatMap((template) => createSentenceReader(template) ?? []);
  return (text) => {
    if (text.length > LONGEST_TEXT) return null;
    for (const read of readers) {
      const message = read(text);
      if (message) return message;
    }
    return null;
  };
}

/** null for other messages, and for sentences without a value or without a word. */
function createSentenceReader({ messageId, text: sentence }: MessageTemplate): TemplateReader | null {
  const id = MESSAGE_IDS.find((each) => each === messageId);
  const parts: readonly (string | undefined)[] = sentence.split(PLACE);
  const literals = parts.filter((_, at) => at % 2 === 0).map((literal = '') => literal.replace(/%%/g, '%'));
  // Which value each place is. The first in the English sentence is 0.
  const order = parts.filter((_, at) => at % 2 === 1).map((place, at) => Number(place ?? at + 1) - 1);
  const word = findWord(literals);
  if (id === undefined || order.length === 0 || word === null) return null;
  const tail = literals.pop() ?? '';
  const body = literals.map(
    (literal, at) => writeLiteral(literal) + (isNumber(id, order[at] ?? 0) ? '(\\d{1,15})' : '(.*?)'),
  );
  // If hardly anything follows the last value, the match must reach the end of the text.
  const end = tail.length <= TAIL ? '?\\s*$' : '';
  const pattern = new RegExp(`^\\s*${body.join('')}${writeLiteral(tail.slice(0, TAIL))}${end}`, 's');
  const isFourthNamed = /\[\s*$/.test(literals[order.indexOf(3)] ?? '');
  return (text) => {
    const match = text.includes(word) ? pattern.exec(text) : null;
    if (!match) return null;
    const values: (string | undefined)[] = [];
    order.forEach((place, at) => (values[place] = match[at + 1]));
    // Older sentences of 833 have the name before the id, newer ones none.
    if (id === 833)
      values.splice(3, Infinity, ...(isFourthNamed ? values.slice(3, 5) : [undefined, values[3], values[6]]));
    return createMessage(id, values, 'template');
  };
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
