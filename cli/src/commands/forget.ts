import { BadUsage, EXIT } from '../kit/exit';
import type { Output } from '../kit/output';
import { type FORGETTABLE, forgetDays, forgetLost } from '../../../src/lake/forgetting';
import { Lake } from '../../../src/lake/lake';
import { formatCount, formatDate, countOf } from '../../../src/core/format';
import { DAY_MS } from '../../../src/core/time';

export interface ForgetOptions {
  readonly lake: string;
  /** Days; absent: nothing by its age. */
  readonly olderThan?: number;
  /** Files that are gone are taken out of their tables. */
  readonly lostFiles: boolean;
  readonly table: readonly (keyof typeof FORGETTABLE)[];
  readonly yes: boolean;
}

/** @returns the exit code @throws BadUsage, Error with one sentence */
export async function runForget(
  { lake: folder, olderThan, lostFiles, table, yes }: ForgetOptions,
  output: Output,
): Promise<number> {
  if ((olderThan === undefined) !== lostFiles) throw new BadUsage('Give --older-than or --lost-files.');
  await Lake.openToRead(folder);
  const lake = await Lake.open(folder);
  const cutUtcMs = (Math.floor(Date.now() / DAY_MS) - (olderThan ?? 0)) * DAY_MS;
  let [rows, code]: [number, number] = [0, EXIT.done];
  const done = lostFiles ? forgetLost(lake, !yes) : forgetDays(lake, cutUtcMs, table, !yes);
  for (const { leftBecause, ...told } of await done) {
    const files = `${formatCount(told.rows)} rows in ${formatCount(told.files)} files`;
    const size = `${(told.bytes / 1e6).toFixed(1)} MB`;
    const kept = told.kept === 0 ? '' : ` ${formatCount(told.kept)} rows stay, as later days rest on them.`;
    if (leftBecause === null) {
      rows += told.rows;
      output.event('info', `${told.table}: ${files} of ${size}.${kept}`, told);
    } else {
      code = EXIT.failed;
      const reason = `${told.table} is left as it is: ${leftBecause}.`;
      output.event('warning', reason, { ...told, reason: leftBecause });
    }
  }
  const all = countOf(rows, '{0} row', '{0} rows');
  const which = lostFiles ? 'in files that are gone' : `of the days before ${formatDate(cutUtcMs, 0)}`;
  const end = lostFiles
    ? 'taken out of the tables. Their days count as not observed.'
    : 'deleted. Their files go when compact runs a week from now.';
  const tried = '. Nothing was changed: run it again with --yes to delete them.';
  output.event('info', `${all} ${which}${yes ? ` ${end}` : tried}`, { rows });
  return code;
}
