import type { CheckpointStep, LeftOut } from '../advice/checkpoint-plan';
import { quoteInComment, quoteInString, quoteStringInScript, writeInteger, writeShownName } from './quote';

/** Where a script comes from. */
export interface ReviewOrigin {
  readonly serverName: string;
  /** When the facts were read, as shown to people ("2026-03-02 09:14:05 UTC+01:00"). */
  readonly readAt: string;
  /** What was measured, one sentence; or that nothing was. */
  readonly evidence: string;
}

/**
 * The comment at the head of a script: what it does, where that comes from, and what more there is to know, each a line. Every line begins with a mark of our
 * own: sqlcmd and the SQLCMD mode of SSMS take a line that begins with `:r`, `!!` or `GO` for a command, in a comment too, and a name may begin like that.
 */
export function writeHeading(what: string, origin: ReviewOrigin, more: readonly string[]): string {
  const lines = [
    what,
    `Written by Checkpoint Health from facts read at ${origin.readAt}. Not executed: read it, then run it yourself.`,
    `Evidence: ${origin.evidence}`,
    ...more,
  ];
  return `/* ${lines.map(quoteInComment).join('\n * ')}\n */`;
}

/** A line of a fitted heading: "Evidence", and what it says. */
export type HeadingField = readonly [label: string, text: string];

const mostLines = 12;
/** Of a line, with the end of the comment behind the last one. */
const mostCharacters = 137;
const indent = ' '.repeat(13);

/**
 * The same as at most twelve lines of at most 140 characters: what is too long for that is cut, the longest first, and ends in "...". No line begins with what sqlcmd
 * takes for a command.
 */
export function writeFittedHeading(what: string, fields: readonly HeadingField[]): string {
  const wrapped = [
    wrap(`/* ${quoteInComment(what)}`, '   '),
    ...fields.map(([label, text]) => wrap(`   ${`${label}:`.padEnd(9)} ${quoteInComment(text)}`, indent)),
  ];
  while (wrapped.reduce((sum, lines) => sum + lines.length, 0) > mostLines) {
    const longest = wrapped.reduce((most, lines) => (lines.length > most.length ? lines : most));
    longest.pop();
    longest.push(`${(longest.pop() ?? '').slice(0, mostCharacters - 4)} ...`);
  }
  return `${wrapped.flat().join('\n')} */`;
}

/** Words that sqlcmd and the SQLCMD mode of SSMS take for a command where a line begins with one. */
const command = /^(:|!!|(go|exit|quit|reset|ed)\b)/i;

function wrap(text: string, hanging: string): string[] {
  const lines: string[] = [];
  let line = text;
  while (line.length > mostCharacters) {
    const space = line.lastIndexOf(' ', mostCharacters);
    const end = space > mostCharacters / 2 ? space : mostCharacters;
    lines.push(line.slice(0, end));
    const rest = line.slice(end).trimStart();
    line = `${hanging}${command.test(rest) ? '- ' : ''}${rest}`;
  }
  return [...lines, line];
}

/** Who is not in the list and why, as lines of a heading. */
export function listLeftOut(leftOut: readonly LeftOut[]): readonly string[] {
  if (leftOut.length === 0) return ['Left out: nothing that was asked for.'];
  return [`Left out (${leftOut.length}):`, ...leftOut.map(({ name, reason }) => `  ${name} ${reason}.`)];
}

/** The list of a script: a row for each database, with one more value and the evidence beside it. */
export function writeDatabaseRows(
  steps: readonly CheckpointStep[],
  column: string,
  value: (step: CheckpointStep) => number | null,
): string {
  const rows = steps.map((step) => {
    const number = value(step);
    const values = [
      quoteStringInScript(step.database.name),
      `'${quoteInString(step.database.createdLocal)}'`,
      number === null ? 'NULL' : writeInteger(number),
    ];
    const shown = writeShownName(step.database.name);
    return `INSERT @chosen (database_name, created_local, ${column}${shown.column}) VALUES (${values.join(', ')}${shown.value}); /* ${quoteInComment(step.basis)} */`;
  });
  return rows.join('\n');
}
