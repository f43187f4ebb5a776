import type { Collation } from './types';
import { orderKey } from './collation';
import { notModelled } from './errors';
import { sqlError } from '../tds/messages';

/**
 * LIKE's pattern: `%`, `_`, `[a-f]`, `[^...]`, ESCAPE. Trailing blanks of the text count if either side is Unicode, as
 * documented.
 * @throws SqlError 506.
 */
export function likePattern(
  pattern: string,
  escape: unknown,
  collation: Collation,
  unicode: boolean,
): RegExp {
  const source = patternSource(pattern, escape, collation, unicode);
  if (source === undefined) return /[^\s\S]/;
  return new RegExp(
    `^${source}${unicode || pattern.endsWith(' ') ? '' : ' *'}$`,
    collation === 'ci' ? 'i' : '',
  );
}

/** Undefined if nothing can match the pattern. */
function patternSource(
  pattern: string,
  escape: unknown,
  collation: Collation,
  unicode: boolean,
): string | undefined {
  if (escape !== undefined && String(escape).length !== 1) throw sqlError(506, [String(escape)]);
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at] as string;
    if (c === escape && at + 1 < pattern.length) source += quote(pattern[++at] as string);
    else if (c === '%') source += '[\\s\\S]*';
    else if (c === '_') source += '[\\s\\S]';
    else if (c === '[') {
      const end = classEnd(pattern, at);
      if (end < 0) return undefined;
      source += characterClass(pattern.slice(at + 1, end), collation, unicode);
      at = end;
    } else source += quote(c);
  }
  return source;
}

/** It is not published whether a bracket right after `[` or `[^` closes the class or is its first member. */
function classEnd(pattern: string, open: number): number {
  const first = open + (pattern[open + 1] === '^' ? 2 : 1);
  if (pattern[first] === ']') throw notModelled('] right behind [ or [^ in the pattern of LIKE or PATINDEX');
  return pattern.indexOf(']', first);
}

function characterClass(content: string, collation: Collation, unicode: boolean): string {
  const negated = content.startsWith('^');
  const inner = negated ? content.slice(1) : content;
  if (inner === '') return negated ? '[\\s\\S]' : '[^\\s\\S]';
  let members = '';
  for (let at = 0; at < inner.length; at++) {
    const c = inner[at] as string;
    const to = inner[at + 2];
    if (inner[at + 1] === '-' && to !== undefined) {
      members += rangeMembers(c, to, collation, unicode);
      at += 2;
    } else members += quoteMember(c);
  }
  return `[${negated ? '^' : ''}${members}]`;
}

/**
 * A range has the characters that sort between its ends, for example é in a-f. Outside Latin letters, and in a BIN2
 * collation, it goes by code points.
 */
function rangeMembers(from: string, to: string, collation: Collation, unicode: boolean): string {
  if (collation === 'bin' || from > '\u017F' || to > '\u017F')
    return from <= to ? `${quoteMember(from)}-${quoteMember(to)}` : '';
  const key = (c: string): string => orderKey(c, collation, unicode);
  const [low, high] = [key(from), key(to)];
  // A single blank sorts like an empty text.
  const within = latin.filter((c) => c !== ' ' && key(c) >= low && key(c) <= high);
  return within.map(quoteMember).join('');
}

const latin = Array.from({ length: 0x180 - 0x20 }, (_, index) => String.fromCharCode(0x20 + index));

const quote = (c: string): string => c.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
const quoteMember = (c: string): string => c.replace(/[\\\]^[-]/, '\\$&');
