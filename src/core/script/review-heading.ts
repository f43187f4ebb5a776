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
