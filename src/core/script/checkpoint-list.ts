/** The list of a script that runs CHECKPOINT: one line a database if its name allows, and how many are not in it. */
import type { CheckpointStep, LeftOut } from '../advice/checkpoint-plan';
import { english } from '../format';
import { listLiterals, quoteInString, writeInteger } from './quote';
import type { HeadingField } from './review-program';
import { addComment, describeListRow, measureNames, MOST_ROWS, writeListRow } from './switch-list';

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
  const counts = new Map<string, number>();
  for (const { obstacle } of leftOut) counts.set(obstacle.kind, (counts.get(obstacle.kind) ?? 0) + 1);
  const kinds = [...counts].sort(([, a], [, b]) => b - a);
  const named = kinds
    .slice(0, MOST_REASONS)
    .map(([kind, count]) => `${english.formatCount(count)} (${kind})`);
  const others = kinds.slice(MOST_REASONS).reduce((sum, [, count]) => sum + count, 0);
  return [
    [
      'Left out',
      `${[...named, ...(others === 0 ? [] : [`${english.formatCount(others)} (other reasons)`])].join(', ')}.`,
    ],
  ];
}
