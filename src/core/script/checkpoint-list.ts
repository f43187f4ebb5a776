/** The list of a script that runs CHECKPOINT: one line a database if its name allows, and how many are not in it. */
import type { CheckpointStep, LeftOut } from '../advice/checkpoint-plan';
import { english } from '../format';
import { listLiterals, quoteInString, writeInteger } from './quote';
import type { HeadingField } from './review-program';
import { addComment, describeListRow, measureNames, MOST_ROWS, writeListRow } from './switch-list';
import { countEach, nameCounts } from '../lists';

const MOST_REASONS = 3;

/**
 * One INSERT for each thousand databases, with what was seen of each database after its row.
 * @param estimated whether the list has a column for estimates
 */
export function writeCheckpointList(steps: readonly CheckpointStep[], estimated: boolean): string {
  const names = steps.map(({ database }) => listLiterals(database.name));
  const width = measureNames(names);
  const rows = steps.map(({ database, estimatedMs, basis }, at) => {
    const isLast = (at + 1) % MOST_ROWS === 0 || at + 1 === steps.length;
    const estimate = estimatedMs === null ? 'NULL' : writeInteger(estimatedMs);
    const values = `'${quoteInString(database.createdLocal)}'${estimated ? `, ${estimate}` : ''})${isLast ? ';' : ','}`;
    const insert =
      at % MOST_ROWS === 0 ? `INSERT @list (name, created${estimated ? ', estimated_ms' : ''}) VALUES\n` : '';
    return `${insert}${addComment(writeListRow('    (', names[at] ?? [], width, values), describeListRow(database.name, basis))}`;
  });
  return rows.join('\n');
}

/** How many databases were asked for and are not in the list, by reason; empty if all are. */
export function describeLeftOut(leftOut: readonly LeftOut[]): readonly HeadingField[] {
  if (leftOut.length === 0) return [];
  const write = (kind: string, count: number): string => `${english.formatCount(count)} (${kind})`;
  const kinds = countEach(leftOut.map(({ obstacle }) => obstacle.kind));
  return [['Left out', `${nameCounts(kinds, MOST_REASONS, write, (rest) => write('other reasons', rest))}.`]];
}
