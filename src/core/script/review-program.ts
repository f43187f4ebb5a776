import { quoteInComment } from './quote';
import { fillTemplate, type Values } from './template';
import type { ReviewTemplate, ReviewText } from './text';

export interface ReviewOrigin {
  readonly serverName: string;
  /** When the facts were read, as shown to people ("2026-03-02 09:14:05 UTC+01:00"). */
  readonly readAt: string;
  /** What was measured, one sentence; or that nothing was. */
  readonly evidence: string;
}

/** A line of a heading: "Evidence", and what it says. */
export type HeadingField = readonly [label: string, text: string];

/** What a reader has to know before the program. */
export interface Heading {
  /** What the script does, where, to how many. */
  readonly what: string;
  readonly origin: ReviewOrigin;
  readonly fields: readonly HeadingField[];
}

/** A program of `sql/change` with these values, our heading in the place of the file's own. */
export function writeProgram({ what, origin, fields }: Heading, template: ReviewTemplate, values: Values): ReviewText {
  const heading = writeHeading(what, [
    ['Written', `by Checkpoint Health from what it read at ${origin.readAt}. Not executed: read it, then run it yourself.`],
    ['Evidence', origin.evidence],
    ...fields,
  ]);
  const filled = fillTemplate(template, values);
  return `${heading}${filled.slice(filled.indexOf('*/') + 2)}` as ReviewText;
}

const MOST_LINES = 12;
/** Of a line, with the end of the comment behind the last one. */
const MOST_CHARACTERS = 137;
const indent = ' '.repeat(13);

/**
 * The comment at the head of a script, of at most twelve lines of at most 140 characters: what it does, and what more there is to know. What is too long for
 * that is cut, the longest first, and ends in "...". No line begins with what sqlcmd and the SQLCMD mode of SSMS take for a command, which they look for in
 * comments too.
 */
export function writeHeading(what: string, fields: readonly HeadingField[]): string {
  const wrapped = [
    wrap(`/* ${quoteInComment(what)}`, '   '),
    ...fields.map(([label, text]) => wrap(`   ${`${label}:`.padEnd(9)} ${quoteInComment(text)}`, indent)),
  ];
  while (wrapped.reduce((sum, lines) => sum + lines.length, 0) > MOST_LINES) {
    const longest = wrapped.reduce((most, lines) => (lines.length > most.length ? lines : most));
    longest.pop();
    longest.push(`${(longest.pop() ?? '').slice(0, MOST_CHARACTERS - 4)} ...`);
  }
  return `${wrapped.flat().join('\n')} */`;
}

/** Words that sqlcmd and the SQLCMD mode of SSMS take for a command where a line begins with one. */
const COMMAND = /^(:|!!|(go|exit|quit|reset|ed)\b)/i;

function wrap(text: string, hanging: string): string[] {
  const lines: string[] = [];
  let line = text;
  while (line.length > MOST_CHARACTERS) {
    const space = line.lastIndexOf(' ', MOST_CHARACTERS);
    const end = space > MOST_CHARACTERS / 2 ? space : MOST_CHARACTERS;
    lines.push(line.slice(0, end));
    const rest = line.slice(end).trimStart();
    line = `${hanging}${COMMAND.test(rest) ? '- ' : ''}${rest}`;
  }
  return [...lines, line];
}
