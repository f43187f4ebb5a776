/**
 * The databases of a switch as T-SQL: a list, one line a database if its name allows; or, for a few with plain names,
 * each ALTER after its own check.
 */
import { NOT_MEASURED, type PlanStep } from '../advice/plan';
import { mapInSteps, type Steps } from '../steps';
import {
  listLiterals,
  quoteInComment,
  quoteInString,
  quoteName,
  quoteString,
  writeInteger,
  writeReadable,
} from './quote';
import { IS_CONTAINED, takeGuard, takeSettings } from './switch-program';
import { countEach } from '../lists';

const MOST_LINE_CHARACTERS = 140;
/** INSERT ... VALUES takes no more (Microsoft Learn, "Table Value Constructor"). */
export const MOST_ROWS = 1_000;
/** Longer names do not count for the alignment. */
const MOST_ALIGNED = 32;
const MOST_READABLE = 60;

/** One INSERT for each thousand databases, with the evidence of a database after its row if no other has the same. */
export function* writeList(steps: readonly PlanStep[]): Steps<string> {
  const hasGroups = steps.some(isTold);
  const columns = hasGroups
    ? 'wave, name, group_id, created, reviewed, wanted'
    : 'wave, name, created, reviewed, wanted';
  const names = yield* mapInSteps(steps, ({ database }) => listLiterals(database.name));
  const width = measureNames(names);
  const digits = String(
    Math.max(...[steps[0], steps[steps.length - 1]].map((step) => step?.wave ?? 1)),
  ).length;
  const shared = countEach(steps.map(({ evidence }) => evidence));
  let at = 0;
  const rows = yield* mapInSteps(steps, (step) => {
    const isLast = ++at % MOST_ROWS === 0 || at === steps.length;
    const values = `${writeIdentity(step, hasGroups)} ${writeInteger(step.fromSeconds)}, ${writeInteger(step.toSeconds)}`;
    const begin = `    (${String(step.wave).padStart(digits)}, `;
    const row = writeListRow(begin, names[at - 1] ?? [], width, `${values})${isLast ? ';' : ','}`);
    const comment = describeStep(step, shared);
    const insert = at % MOST_ROWS === 1 ? `INSERT @list (${columns}) VALUES\n` : '';
    return `${insert}${addComment(row, comment)}`;
  });
  return rows.join('\n');
}

/**
 * Whether its identity in its group, the same on every replica, tells which database it is. For others it is the date
 * of creation.
 */
export function isTold({ groupDatabaseId = null }: PlanStep): boolean {
  return groupDatabaseId !== null;
}

function writeIdentity({ database, groupDatabaseId = null }: PlanStep, hasGroups: boolean): string {
  const created = `'${quoteInString(database.createdLocal)}'`;
  if (!hasGroups) return `${created},`;
  return groupDatabaseId === null
    ? `${'NULL,'.padEnd(39)} ${created},`
    : `'${quoteInString(groupDatabaseId)}', NULL,`;
}

/** The width to which names of ordinary length are filled with blanks. @param names the literals of each */
export function measureNames(names: readonly (readonly string[])[]): number {
  return names.reduce(
    (most, [name = '', ...more]) =>
      more.length > 0 ? most : Math.max(most, Math.min(MOST_ALIGNED, name.length)),
    0,
  );
}

/** @param begin what stands before the name @param name its literals @param values what stands after it */
export function writeListRow(begin: string, name: readonly string[], width: number, values: string): string {
  const whole = `${begin}${`${name.join(' + ')},`.padEnd(width + 1)} ${values}`;
  if (whole.length <= MOST_LINE_CHARACTERS) return whole;
  const lines: string[] = [];
  for (const literal of name) {
    const last = lines[lines.length - 1];
    const longer = last === undefined ? `${begin}${literal}` : `${last} + ${literal}`;
    if (last === undefined) lines.push(longer);
    else if (longer.length < MOST_LINE_CHARACTERS) lines[lines.length - 1] = longer;
    else lines.push(`        + ${literal}`);
  }
  return `${lines.join('\n')},\n        ${values}`;
}

/** The comment of a row: how the name reads, and what was measured if no other database has the same. */
function describeStep({ database, evidence }: PlanStep, shared: ReadonlyMap<string, number>): string {
  const isOwn = evidence !== NOT_MEASURED && shared.get(evidence) === 1;
  return describeListRow(database.name, isOwn ? evidence : '');
}

/** How a name that is written in bytes reads, and what was seen of its database; '' if there is nothing to say. */
export function describeListRow(name: string, evidence: string): string {
  const hasBytes = listLiterals(name).some((literal) => !literal.startsWith("N'"));
  const reads = hasBytes ? `reads: ${cut(writeReadable(name), MOST_READABLE)}` : '';
  return [reads, quoteInComment(evidence)].filter((part) => part !== '').join('; ');
}

/** Adds the comment to the last line, or below it if there is no room. */
export function addComment(row: string, comment: string): string {
  if (comment === '') return row;
  const last = row.slice(row.lastIndexOf('\n') + 1).length;
  if (last + comment.length + 7 <= MOST_LINE_CHARACTERS) return `${row} /* ${comment} */`;
  return `${row}\n        /* ${cut(comment, MOST_LINE_CHARACTERS - 14)} */`;
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 3)}...`;
}

const MOST_DATABASES = 5;
const MOST_LISTED = 125;
/** Printable, with nothing in it that means something to sqlcmd, SSMS, PRINT or a comment. */
const PLAIN_NAME = /^(?!.*(?:\$\(|--|\/\*|\*\/))[ !#$&-;=?-~]+$/;
/** In quotes, so that its lines have room for it. */
const MOST_NAME_CHARACTERS = 36;

/** Whether these databases go without a list. */
export function isShort(steps: readonly PlanStep[]): boolean {
  return (
    steps.length <= MOST_DATABASES &&
    steps.every(
      ({ database: { name } }) =>
        PLAIN_NAME.test(name) && quoteString(name).length <= MOST_NAME_CHARACTERS + 3,
    )
  );
}

/** @param program the filled one, whose guard is used @param wave the declaration of `@wave` */
export function writeLiteral(steps: readonly PlanStep[], program: string, wave: string): string {
  const waves = [...new Set(steps.map((step) => step.wave))];
  const own = (number: number): string =>
    steps
      .filter((step) => step.wave === number)
      .map(writeStep)
      .join('\n');
  const blocks =
    waves.length === 1
      ? [own(waves[0] ?? 1)]
      : waves.map(
          (number) =>
            `/* Wave ${number} */\nIF ISNULL(@wave, ${number}) = ${number}\nBEGIN\n${own(number)}END;\n`,
        );
  const settings = waves.length === 1 ? takeSettings(program) : `${takeSettings(program)}\n${wave}`;
  return `${settings}\n${takeGuard(program)}\n\n${blocks.join('\n')}\n${writeTable(steps)}\n`;
}

function writeStep(step: PlanStep): string {
  const { database, fromSeconds, toSeconds, evidence, groupDatabaseId } = step;
  const identity = isTold(step)
    ? `d.group_database_id = '${quoteInString(groupDatabaseId ?? '')}'`
    : `d.create_date = '${quoteInString(database.createdLocal)}'`;
  const contained = isTold(step) ? `\n    AND NOT (${IS_CONTAINED})` : '';
  const comment =
    evidence === NOT_MEASURED ? '' : `/* ${quoteInComment(evidence).slice(0, MOST_LINE_CHARACTERS - 6)} */\n`;
  const left = `${database.name} LEFT ALONE: not the database reviewed, not at ${fromSeconds} any more, or not writable here.`;
  return `${comment}IF EXISTS (SELECT 1 FROM sys.databases AS d WHERE d.name COLLATE Latin1_General_BIN2 = ${quoteString(database.name)}
    AND ${identity} AND d.target_recovery_time_in_seconds = ${writeInteger(fromSeconds)}${contained}
    AND d.state = 0 AND d.database_id > 4 AND CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability')) = N'READ_WRITE')
    ALTER DATABASE ${quoteName(database.name)} SET TARGET_RECOVERY_TIME = ${writeInteger(toSeconds)} SECONDS WITH NO_WAIT;
ELSE PRINT ${quoteString(left)};
`;
}

function writeTable(steps: readonly PlanStep[]): string {
  const names = steps.map(({ database }) => quoteString(database.name));
  const list = names.join(names.join(', ').length > MOST_LISTED ? ',\n    ' : ', ');
  return `SELECT d.name, now = d.target_recovery_time_in_seconds, wanted = ${writeWanted(steps)}, created = d.create_date,
    updateability = CONVERT(nvarchar(20), DATABASEPROPERTYEX(d.name, N'Updateability'))
FROM sys.databases AS d WHERE d.name COLLATE Latin1_General_BIN2
    IN (${list});`;
}

function writeWanted(steps: readonly PlanStep[]): string {
  const [first] = steps;
  if (first === undefined || steps.every(({ toSeconds }) => toSeconds === first.toSeconds))
    return writeInteger(first?.toSeconds ?? 0);
  const cases = steps.map(
    ({ database, toSeconds }) =>
      `\n        WHEN ${quoteString(database.name)} THEN ${writeInteger(toSeconds)}`,
  );
  return `CASE d.name COLLATE Latin1_General_BIN2${cases.join('')} END`;
}
