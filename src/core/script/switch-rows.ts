/** The lists of a switch script, as T-SQL, in steps. */
import type { Exclusion, PlanStep } from '../advice/plan';
import { mapInSteps, type Steps } from '../steps';
import { makeVisible } from '../visible';
import { quoteInComment, quoteInString, quoteStringInScript, writeInteger, writeShownName } from './quote';

/** Reasons are cut here: a policy's reason may be as long as somebody likes. */
const mostReasonCharacters = 1_500;
/** Of a name that stands in the report alone: the column's length. */
const mostNameCharacters = 190;

/** One row a database, with its evidence beside it. */
export function* writeStepRows(steps: readonly PlanStep[], identity: StepIdentity = 'created here'): Steps<string> {
  return (yield* mapInSteps(steps, (step) => writeStepRow(step, identity))).join('\n');
}

/** What tells a database from another one that has taken its name; in the group alone on another replica, which created its copy at another time. */
export type StepIdentity = 'created here' | 'in the group';

function writeStepRow(step: PlanStep, by: StepIdentity): string {
  const { groupDatabaseId = null } = step;
  const values = [
    quoteStringInScript(step.database.name),
    by === 'in the group' ? 'NULL' : `'${quoteInString(step.database.createdLocal)}'`,
    ...(groupDatabaseId === null ? [] : [`'${quoteInString(groupDatabaseId)}'`]),
    writeInteger(step.wave),
    writeInteger(step.fromSeconds),
    writeInteger(step.toSeconds),
  ];
  const identity = groupDatabaseId === null ? '' : ' group_database_id,';
  const shown = writeShownName(step.database.name);
  return `INSERT @chosen (database_name, created_local,${identity} wave, expected_seconds, wanted_seconds${shown.column}) VALUES (${values.join(', ')}${shown.value}); /* ${quoteInComment(step.evidence)} */`;
}

/** One row for each database that was chosen and is not changed, with the reason. */
export function* writeLeftOutRows(exclusions: readonly Exclusion[]): Steps<string> {
  const rows = yield* mapInSteps(exclusions, ({ name, reason }) => {
    const values = [cut(name, mostNameCharacters), cut(reason, mostReasonCharacters)].map(quoteStringInScript);
    return `INSERT @left_out (database_name, reason) VALUES (${values.join(', ')});`;
  });
  return rows.join('\n');
}

/** As it is read, cut by characters, so that none is halved. */
function cut(given: string, most: number): string {
  const text = makeVisible(given);
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 3);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}...`;
}
