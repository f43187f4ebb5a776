/** The list of a script that runs CHECKPOINT: one line a database as far as its name lets it, and how many are not in it. */
import type { CheckpointStep, LeftOut } from '../advice/checkpoint-plan';
import { formatCount } from '../format';
import { quoteInComment, quoteInString, quoteStringInScript, writeInteger } from './quote';
import { type HeadingField, longestLine } from './review-program';

/** INSERT ... VALUES takes no more (Microsoft Learn, "Table Value Constructor"). */
const mostRows = 1_000;
/** Names longer than this are not aligned with. Characters. */
const mostAligned = 32;
const mostReadable = 60;
/** Reasons beyond these are counted together. */
const mostReasons = 3;

/** One INSERT for each thousand databases, with what was seen of a database behind its row. @param estimated whether the list has a column for the estimates */
export function writeCheckpointList(steps: readonly CheckpointStep[], estimated: boolean): string {
  const names = steps.map(({ database }) => listLiterals(database.name));
  const width = Math.max(0, ...names.filter(({ length }) => length === 1).map(([name = '']) => Math.min(mostAligned, name.length)));
  const rows = steps.map((step, at) => {
    const { database, estimatedMs } = step;
    const isLast = (at + 1) % mostRows === 0 || at + 1 === steps.length;
    const estimate = estimatedMs === null ? 'NULL' : writeInteger(estimatedMs);
    const values = `'${quoteInString(database.createdLocal)}'${estimated ? `, ${estimate}` : ''})${isLast ? ';' : ','}`;
    const insert = at % mostRows === 0 ? `INSERT @list (name, created${estimated ? ', estimated_ms' : ''}) VALUES\n` : '';
    return `${insert}${addComment(writeRow(names[at] ?? [], width, values), describeRow(step))}`;
  });
  return rows.join('\n');
}

/** The pieces of a quoted name: literals of 50 characters, each perhaps a doubled quote, and bytes of 24. */
function listLiterals(name: string): readonly string[] {
  const pieces = quoteStringInScript(name).matchAll(/N'((?:[^']|'')*)'|CONVERT\(nvarchar\(\d+\), 0x([\dA-F]+)\)/g);
  return [...pieces].flatMap(([, text = '', bytes]) =>
    bytes === undefined
      ? (text.match(/(?:[^']|''){1,50}/g) ?? []).map((piece) => `N'${piece}'`)
      : (bytes.match(/.{1,96}/g) ?? []).map((piece) => `CONVERT(nvarchar(${piece.length / 4}), 0x${piece})`),
  );
}

function writeRow(name: readonly string[], width: number, values: string): string {
  const whole = `    (${`${name.join(' + ')},`.padEnd(width + 1)} ${values}`;
  if (whole.length <= longestLine) return whole;
  const lines: string[] = [];
  for (const literal of name) {
    const last = lines[lines.length - 1];
    const longer = `${last} + ${literal}`;
    if (last === undefined) lines.push(`    (${literal}`);
    else if (longer.length < longestLine) lines[lines.length - 1] = longer;
    else lines.push(`        + ${literal}`);
  }
  return `${lines.join('\n')},\n        ${values}`;
}

/** How a name reads that is written in bytes, and what was seen of its database; '' where there is nothing to say. */
function describeRow({ database, basis }: CheckpointStep): string {
  const reads = /^[ -~]*$/.test(database.name) ? '' : `reads: ${cut(quoteInComment(database.name), mostReadable)}`;
  return [reads, quoteInComment(basis)].filter((part) => part !== '').join('; ');
}

/** Behind the last line where there is room, below it where there is none. */
function addComment(row: string, comment: string): string {
  if (comment === '') return row;
  const last = row.length - row.lastIndexOf('\n') - 1;
  if (last + comment.length + 7 <= longestLine) return `${row} /* ${comment} */`;
  return `${row}\n        /* ${cut(comment, longestLine - 14)} */`;
}

/** Cut between characters, so that none is halved. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const kept = text.slice(0, most - 3);
  return `${/[\uD800-\uDBFF]$/.test(kept) ? kept.slice(0, -1) : kept}...`;
}

/** How many were asked for and are not in the list, by reason; nothing where all are. */
export function describeLeftOut(leftOut: readonly LeftOut[]): readonly HeadingField[] {
  if (leftOut.length === 0) return [];
  const counts = new Map<string, number>();
  for (const { reason } of leftOut) {
    const kind = reason.replace(/^is /, '').replace(/: .*$/, '');
    counts.set(kind, (counts.get(kind) ?? 0) + 1);
  }
  const kinds = [...counts].sort(([, a], [, b]) => b - a);
  const named = kinds.slice(0, mostReasons).map(([kind, count]) => `${formatCount(count)} (${kind})`);
  const others = kinds.slice(mostReasons).reduce((sum, [, count]) => sum + count, 0);
  return [['Left out', `${[...named, ...(others === 0 ? [] : [`${formatCount(others)} (other reasons)`])].join(', ')}.`]];
}
