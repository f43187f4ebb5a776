import { countOf } from '../../../src/core/format';
import { EXIT } from '../kit/exit';
import type { Output } from '../kit/output';
import { compactTables, vacuum } from '../../../src/lake/compaction';
import { LostFilesError, nameDate } from '../../../src/lake/data-files';
import { sumDays } from '../../../src/lake/day-sums';
import { Lake } from '../../../src/lake/lake';
import { TABLE_NAMES } from '../../../src/lake/tables';

/** @returns the exit code */
export async function runCompact(options: { readonly lake: string }, output: Output): Promise<number> {
  // Makes none where there is none.
  await Lake.openToRead(options.lake);
  const lake = await Lake.open(options.lake);
  const nowMs = Date.now();
  const today = nameDate(nowMs);
  const tell = (done: number): void => output.progress(done, TABLE_NAMES.length, 'tables');
  for (const { table, joined, into, leftBecause } of await compactTables(lake, today, tell))
    if (leftBecause !== null)
      output.event('warning', `${table} is left as it is: ${leftBecause}.`, { table, reason: leftBecause });
    else output.event('info', `${table}: ${joined} files joined into ${into}.`, { table, joined, into });
  try {
    const days = await sumDays(lake, today);
    output.event('info', `${countOf(days, '{0} day', '{0} days')} summed up.`, { days });
  } catch (error) {
    if (!(error instanceof LostFilesError)) throw error;
    output.event('warning', `Days are not summed up. ${error.message}`);
  }
  const deleted = await vacuum(lake, nowMs);
  for (const table of TABLE_NAMES) await lake.log(table).checkpoint(nowMs);
  output.event('info', `${deleted} old files deleted.`, { deleted });
  return EXIT.done;
}
