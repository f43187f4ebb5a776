import { EXIT } from '../kit/exit';
import type { Output } from '../kit/output';
import { FORGETTABLE, forgetDays } from '../../../src/lake/forgetting';
import { Lake } from '../../../src/lake/lake';
import { formatCount, formatDate, countOf } from '../../../src/core/format';
import { DAY_MS } from '../../../src/core/time';

export interface ForgetOptions {
  readonly lake: string;
  /** Days. */
  readonly olderThan: number;
  readonly table: readonly (keyof typeof FORGETTABLE)[];
  readonly yes: boolean;
}

/** @returns the exit code @throws Error with one sentence */
export async function runForget(
  { lake: folder, olderThan, table, yes }: ForgetOptions,
  output: Output,
): Promise<number> {
  await Lake.openToRead(folder);
  const lake = await Lake.open(folder);
  const cutUtcMs = (Math.floor(Date.now() / DAY_MS) - olderThan) * DAY_MS;
  let [rows, code]: [number, number] = [0, EXIT.done];
  for (const { leftBecause, ...told } of await forgetDays(lake, cutUtcMs, table, !yes)) {
    const megabytes = (told.bytes / 1e6).toFixed(1);
    rows += told.rows;
    if (leftBecause !== null) code = EXIT.failed;
    output.event(
      leftBecause === null ? 'info' : 'warning',
      leftBecause === null
        ? `${told.table}: ${formatCount(told.rows)} rows in ${formatCount(told.files)} files of ${megabytes} MB. ${formatCount(told.kept)} rows stay, because later days rest on them.`
        : `${told.table} is left as it is: ${leftBecause}.`,
      { ...told, reason: leftBecause },
    );
  }
  const all = countOf(rows, '{0} row', '{0} rows');
  const before = formatDate(cutUtcMs, 0);
  output.event(
    'info',
    yes
      ? `${all} of the days before ${before} deleted. Their files go when compact runs a week from now.`
      : `${all} of the days before ${before} would be deleted. Nothing was changed: run it again with --yes.`,
    { rows, before },
  );
  return code;
}
