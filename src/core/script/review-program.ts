import { quoteInComment } from './quote';
import { fillTemplate, type Values } from './template';
import type { ReviewTemplate, ReviewText } from './text';

export interface ReviewOrigin {
  readonly serverName: string;
  /** When the facts were read, as shown to people ("2026-03-02 09:14:05 UTC+01:00"). */
  readonly readAt: string;
  /** What was measured, or that nothing was, as one sentence. */
  readonly evidence: string;
}

/** A line of a heading: "Evidence", and what it says. */
export type HeadingField = readonly [label: string, text: string];

/** What the reader of a script has to know first. */
export interface Heading {
  /** What the script does, where, to how many databases. */
  readonly what: string;
  readonly origin: ReviewOrigin;
  readonly fields: readonly HeadingField[];
}

/** A program of `sql/change` with these values, and with our heading instead of the file's own. */
export function writeProgram(
  { what, origin, fields }: Heading,
  template: ReviewTemplate,
  values: Values,
): ReviewText {
  const heading = writeHeading(what, [nameWriter(origin), ['Evidence', origin.evidence], ...fields]);
  const filled = fillTemplate(template, values);
  return `${heading}${filled.slice(filled.indexOf('*/') + 2)}` as ReviewText;
}

/** The field of a heading that says who wrote the script, and when the server was read for that. */
export function nameWriter(
  { readAt }: Pick<ReviewOrigin, 'readAt'>,
  rest = '. Not executed: read it, then run it yourself.',
): HeadingField {
  return ['Written', `by Checkpoint Health from what it read at ${readAt}${rest}`];
}

/** Whether two scripts differ at most in when the server was read for them, and in their ends of lines. */
export function isSameScript(one: string, other: string): boolean {
  const [a, b] = [one, other].map((text) =>
    text.replaceAll('\r\n', '\n').replace(/(?<=from what it read at )[\d:+ UTC-]*(?=[.,])/, ''),
  );
  return a === b;
}

const MOST_LINES = 12;
/** Characters of a line: the end of the comment still fits after the last one. */
const MOST_CHARACTERS = 137;
const indent = ' '.repeat(13);

/**
 * The comment at the head of a script: what it does, and what else to know. At most twelve lines of at most 140
 * characters; the longest field is cut first and ends in "...". No line begins with a command of sqlcmd or of the
 * SQLCMD mode of SSMS, which look for commands in comments too.
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

/** Words that sqlcmd and the SQLCMD mode of SSMS take for a command at the beginning of a line. */
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
