import { SqlError } from '../tds/handler';
import type { Collation } from './collation';

/** LIKE's pattern: `%`, `_`, `[a-f]`, `[^...]`, ESCAPE. Trailing blanks of the text count where either side is Unicode, as documented. @throws SqlError 506. */
export function likePattern(pattern: string, escape: unknown, collation: Collation, unicode: boolean): RegExp {
  if (escape !== undefined && String(escape).length !== 1)
    throw new SqlError(506, `The invalid escape character "${String(escape)}" was specified in a LIKE predicate.`);
  let source = '';
  for (let at = 0; at < pattern.length; at++) {
    const c = pattern[at] as string;
    if (c === escape && at + 1 < pattern.length) source += quote(pattern[++at] as string);
    else if (c === '%') source += '[\\s\\S]*';
    else if (c === '_') source += '[\\s\\S]';
    else if (c === '[') {
      const end = classEnd(pattern, at);
      if (end < 0) return /[^\s\S]/;
      source += characterClass(pattern.slice(at + 1, end));
      at = end;
    } else source += quote(c);
  }
  return new RegExp(`^${source}${unicode || pattern.endsWith(' ') ? '' : ' *'}$`, collation === 'ci' ? 'i' : '');
}

/** `[]]` holds a bracket: the first character after `[` or `[^` never closes. */
function classEnd(pattern: string, open: number): number {
  return pattern.indexOf(']', open + (pattern[open + 1] === '^' ? 2 : 1) + (pattern[open + 1] === ']' ? 1 : 0));
}

function characterClass(content: string): string {
  const negated = content.startsWith('^');
  const inner = (negated ? content.slice(1) : content).replace(/[\\\]^[]/g, '\\$&');
  if (inner === '') return negated ? '[\\s\\S]' : '[^\\s\\S]';
  const safe = inner.replace(/^-|-$/g, '\\-');
  return `[${negated ? '^' : ''}${safe}]`;
}

const quote = (c: string): string => c.replace(/[.*+?^${}()|[\]\\/-]/, '\\$&');
