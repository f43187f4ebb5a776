/**
 * The text that would be opened, folded to what a reader looks for: what it is, the first and the last databases, and
 * the statement that changes something. The rest is in folds that say how much they hold. Their lines come along if one
 * message has room for them.
 */
import { countOf } from '../format';
import type { ReviewScript, ScriptSet } from '../script/script-set';
import type { Steps } from '../steps';
import { t } from '../language';

export interface PreviewPart {
  /** 'change': the statement that changes a setting; 'fold': closed until the reader opens it. */
  readonly kind: 'text' | 'change' | 'fold';
  /** Number of its first line, from 1. */
  readonly from: number;
  readonly count: number;
  /** For a fold: what it holds, "72 more databases". */
  readonly words: string;
  /** null: a fold that is too long to be sent. */
  readonly lines: readonly string[] | null;
}

export interface ScriptPreview {
  readonly id: 'switch' | 'rollback' | 'record';
  /** "Switch". */
  readonly name: string;
  /** "133 lines". */
  readonly length: string;
  readonly parts: readonly PreviewPart[];
}

/** Previews the switch of a set, its rollback and its record, one in each step. */
export function* previewScripts({ scripts, record }: ScriptSet): Steps<readonly ScriptPreview[]> {
  const previews: ScriptPreview[] = [];
  for (const [id, name, kind] of kinds) {
    const script = scripts.find((one) => one.kind === kind);
    if (script !== undefined) previews.push(preview(id, name, script.text));
    yield;
  }
  if (record !== '') previews.push(preview('record', t('Change record'), record));
  return previews;
}

const kinds: readonly (readonly [ScriptPreview['id'], string, ReviewScript['kind']])[] = [
  ['switch', t('Switch'), 'change'],
  ['rollback', t('Rollback'), 'rollback'],
];

function preview(id: ScriptPreview['id'], name: string, text: string): ScriptPreview {
  const lines = text.replace(/\n$/, '').split('\n');
  return {
    id,
    name,
    length: countOf(lines.length, t('{0} line'), t('{0} lines')),
    parts: foldLines(lines),
  };
}

/** How many lines are shown: of the head, at both ends of a list, around the change, and at the end. */
const HEAD_LINES = 12;
const listLines = [5, 1] as const;
const ABOUT_CHANGE = 2;
const END_LINES = 2;
/** Fewer lines are not worth a fold. */
const LEAST_FOLD = 3;
/** Characters of folded lines that one preview sends. */
const MOST_FOLDED = 60_000;
/** A line of a list: a row of databases in a script, or of a table in a record. */
const isListed = (line: string): boolean =>
  isRow(line) || /^INSERT @list |^ {8}('\d{4}-|NULL, |\/\* |\+ (N'|CONVERT\(nvarchar\(\d+\), 0x))/.test(line);
const isRow = (line: string): boolean => /^( {4}\( *\d+, (N'|CONVERT\()|\| )/.test(line);
const isChange = (line: string): boolean => /^ +(N')?ALTER DATABASE \[/.test(line);

function foldLines(lines: readonly string[]): readonly PreviewPart[] {
  const kept = new Set<number>();
  const keep = (from: number, to: number): void => {
    for (let at = Math.max(0, from); at < Math.min(to, lines.length); at++) kept.add(at);
  };
  keep(0, HEAD_LINES);
  keep(lines.length - END_LINES, lines.length);
  for (const [from, to] of findLists(lines)) {
    keep(from, Math.min(to, from + listLines[0]));
    keep(Math.max(from, to - listLines[1]), to);
  }
  const changes = new Set(lines.flatMap((line, at) => (isChange(line) ? [at] : [])));
  for (const at of changes) keep(at - ABOUT_CHANGE, at + ABOUT_CHANGE + 1);
  return joinParts(lines, kept, changes);
}

/** Begin and end of each run of listed lines. */
function findLists(lines: readonly string[]): readonly (readonly [number, number])[] {
  const lists: [number, number][] = [];
  lines.forEach((line, at) => {
    if (!isListed(line)) return;
    const last = lists[lists.length - 1];
    if (last !== undefined && last[1] === at) last[1] = at + 1;
    else lists.push([at, at + 1]);
  });
  return lists;
}

function joinParts(
  lines: readonly string[],
  kept: ReadonlySet<number>,
  changes: ReadonlySet<number>,
): readonly PreviewPart[] {
  const parts: PreviewPart[] = [];
  let room = MOST_FOLDED;
  for (let from = 0; from < lines.length;) {
    const kindOf = (at: number): PreviewPart['kind'] =>
      changes.has(at) ? 'change' : kept.has(at) ? 'text' : 'fold';
    const kind = kindOf(from);
    let to = from + 1;
    while (to < lines.length && kindOf(to) === kind) to++;
    const own = lines.slice(from, to);
    const isFold = kind === 'fold' && own.length >= LEAST_FOLD;
    if (isFold) room -= own.reduce((sum, line) => sum + line.length + 1, 0);
    const words = !isFold
      ? ''
      : own.every(isListed)
        ? countOf(own.filter(isRow).length, t('{0} more database'), t('{0} more databases'))
        : countOf(own.length, t('{0} line'), t('{0} lines'));
    parts.push({
      kind: kind === 'fold' && !isFold ? 'text' : kind,
      from: from + 1,
      count: own.length,
      words,
      lines: isFold && room < 0 ? null : own,
    });
    from = to;
  }
  return parts;
}
