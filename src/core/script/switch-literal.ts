/** A switch of a few databases with plain names: no list, but each ALTER as it is run, behind a check of its own. */
import { NOT_MEASURED, type PlanStep } from '../advice/plan';
import { quoteInComment, quoteInString, quoteName, quoteString, writeInteger } from './quote';
import { isTold, MOST_LINE_CHARACTERS } from './switch-list';
import { takeGuard, takeSettings } from './switch-program';

const MOST_DATABASES = 5;
const MOST_LISTED = 125;
/** Printable, and nothing in it that sqlcmd, SSMS, PRINT or a comment takes for something else. */
const PLAIN_NAME = /^(?!.*(?:\$\(|--|\/\*|\*\/))[ !#$&-;=?-~]+$/;
/** As quoted: what its lines have room for. */
const MOST_NAME_CHARACTERS = 36;

/** Whether these databases go without a list. */
export function isShort(steps: readonly PlanStep[]): boolean {
  return (
    steps.length <= MOST_DATABASES &&
    steps.every(({ database: { name } }) => PLAIN_NAME.test(name) && quoteString(name).length <= MOST_NAME_CHARACTERS + 3)
  );
}

/** @param program filled: its guard is taken from it @param wave the wave that a run takes; null: all */
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
      : waves.map((number) => `/* Wave ${number} */\nIF ISNULL(@wave, ${number}) = ${number}\nBEGIN\n${own(number)}END;\n`);
  const settings = waves.length === 1 ? takeSettings(program) : `${takeSettings(program)}\n${wave}`;
  return `${settings}\n${takeGuard(program)}\n\n${blocks.join('\n')}\n${writeTable(steps)}\n`;
}

function writeStep(step: PlanStep): string {
  const { database, fromSeconds, toSeconds, evidence, groupDatabaseId } = step;
  const identity = isTold(step)
    ? `d.group_database_id = '${quoteInString(groupDatabaseId ?? '')}'`
    : `d.create_date = '${quoteInString(database.createdLocal)}'`;
  const contained = isTold(step)
    ? "\n    AND NOT EXISTS (SELECT 1 FROM sys.availability_groups AS g WHERE d.name IN (g.name + N'_master', g.name + N'_msdb'))"
    : '';
  const comment = evidence === NOT_MEASURED ? '' : `/* ${quoteInComment(evidence).slice(0, MOST_LINE_CHARACTERS - 6)} */\n`;
  const left = `${database.name} LEFT ALONE: not the one that was reviewed, not at ${fromSeconds} any more, or not writable here.`;
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
  if (first === undefined || steps.every(({ toSeconds }) => toSeconds === first.toSeconds)) return writeInteger(first?.toSeconds ?? 0);
  const cases = steps.map(({ database, toSeconds }) => `\n        WHEN ${quoteString(database.name)} THEN ${writeInteger(toSeconds)}`);
  return `CASE d.name COLLATE Latin1_General_BIN2${cases.join('')} END`;
}
