/**
 * Makes the program of a script from sql/change/set-target-recovery-time.sql: without its header, and without what the
 * databases do not need.
 */
import type { ReviewTemplate, ReviewText } from './text';

interface ProgramNeeds {
  /** Whether the script has a database that is identified by its availability group. */
  readonly hasGroups: boolean;
  /** Whether it goes on by itself from wave to wave. */
  readonly isPausing: boolean;
}

/**
 * What the plan asks too (core/advice/obstacle.ts): from SQL Server 2022 on, whether it is named as the master or msdb
 * of its own group.
 */
export const IS_CONTAINED = `CONVERT(int, LEFT(CONVERT(nvarchar(20), SERVERPROPERTY(N'ProductVersion')), 2)) >= 16 AND EXISTS (SELECT 1
            FROM sys.availability_replicas AS r INNER JOIN sys.availability_groups AS g ON g.group_id = r.group_id
            WHERE r.replica_id = d.replica_id AND d.name COLLATE Latin1_General_BIN2 IN (g.name + N'_master', g.name + N'_msdb'))`;

/** Parts of the program for databases of availability groups, and what stands there without such databases. */
const ofGroups: readonly (readonly [string, string])[] = [
  [' group_id uniqueidentifier NULL,\n    created datetime NULL,', '\n    created datetime NOT NULL,'],
  [
    `        WHEN ${IS_CONTAINED}\n            THEN N'LEFT ALONE: a system database of a contained group'\n`,
    '',
  ],
  [
    "\n                + CASE WHEN d.replica_id IS NULL THEN N')' ELSE N'; a secondary or a forwarder: run this text on the primary)' END END",
    " + N')' END",
  ],
  ['(wave, name, group_id, created,', '(wave, name, created,'],
  [
    "+ N', ' + ISNULL(QUOTENAME(CONVERT(nvarchar(36), l.group_id), N''''), N'NULL') + N', '\n" +
      "        + ISNULL(QUOTENAME(CONVERT(nvarchar(30), l.created, 126), N''''), N'NULL') + N', '",
    "+ N', ''' + CONVERT(nvarchar(30), l.created, 126) + N''', '",
  ],
];
const OF_IDENTITY = /\n *AND \(d\.group_database_id = l\.group_id OR d\.create_date = l\.created\)/g;
const OF_PAUSES = /^ *\/\* goes on by itself[^]*?^ *\/\* until here \*\/\n/gm;
const LIST = /^INSERT @list [^]*?\);$/m;
const GUARD = /^\/\* Guard:[^]*?^END;$/m;

/** @throws Error if the file no longer has such a part: a mistake of ours */
export function cutProgram(template: ReviewTemplate, { hasGroups, isPausing }: ProgramNeeds): ReviewTemplate {
  const body = template.slice(template.indexOf('*/\n') + '*/\n'.length);
  const program = isPausing ? body : body.replace(OF_PAUSES, '');
  return (
    hasGroups
      ? program
      : ofGroups.reduce(replacePart, program).replace(OF_IDENTITY, ' AND d.create_date = l.created')
  ) as ReviewTemplate;
}

function replacePart(program: string, [part, other]: readonly [string, string]): string {
  if (!program.includes(part)) throw new Error(`The program of the switch has no ${JSON.stringify(part)}`);
  return program.replaceAll(part, () => other);
}

/** Puts the list in place of the one in the file. */
export function placeList(program: ReviewText, rows: string): string {
  return program.replace(LIST, () => rows);
}

/** The first line of every text of a switch: the settings of its session. */
export function takeSettings(program: string): string {
  return program.slice(0, program.indexOf('\n'));
}

/** The guard, which checks the server and looks for an open transaction. */
export function takeGuard(program: string): string {
  return GUARD.exec(program)?.[0] ?? '';
}
