/** Searching and replacing characters: PATINDEX, TRIM and similar. */
import { SqlError } from '../../tds/handler';
import { literal, type Bound } from '../bound';
import { collationOf } from '../coerce';
import { patternPosition } from '../like';
import { releaseOf } from '../release';
import { bigint, int, isUnicode, varchar, type Value } from '../types';
import { rule, strict, text, varying, type FunctionTable, type Invocation } from './rule';

const isLong = (type: Bound['type']): boolean => 'length' in type && type.length === 'max';

function bindPatIndex(invocation: Invocation): Bound {
  const [pattern, within] = [text(invocation, 0), text(invocation, 1)];
  const collation = collationOf(pattern, within);
  const unicode = isUnicode(pattern.type) || isUnicode(within.type);
  const result = isLong(within.type) ? bigint : int;
  const evaluate = (wanted: string, value: string): Value => {
    const at = patternPosition(wanted, value, collation, unicode);
    return result.name === 'bigint' ? BigInt(at) : at;
  };
  return strict(invocation, [pattern, within], result, evaluate as never, `PATINDEX${collation}${unicode}${result.name}`);
}

type Side = 'LTRIM' | 'RTRIM' | 'TRIM';

/** `TRIM(x)`, `TRIM('ab' FROM x)`; `LTRIM(x, 'ab')` since SQL Server 2022. */
function bindTrim(invocation: Invocation): Bound {
  const side = invocation.name as Side;
  const input = text(invocation, 0);
  const wanted = invocation.args.length > 1 ? text(invocation, 1) : literal(' ', varchar(1));
  if (side !== 'TRIM' && invocation.args.length > 1 && releaseOf(invocation.binding.facts.instance) < 2022)
    throw new SqlError(174, `The ${side.toLowerCase()} function requires 1 argument(s).`, 15, 1, invocation.line);
  const blind = collationOf(input, wanted) === 'ci';
  const evaluate = (value: string, characters: string): string => {
    const set = blind ? characters.toLowerCase() : characters;
    const isIn = (c: string): boolean => set.includes(blind ? c.toLowerCase() : c);
    let [from, to] = [0, value.length];
    if (side !== 'RTRIM') while (from < to && isIn(value[from] as string)) from++;
    if (side !== 'LTRIM') while (to > from && isIn(value[to - 1] as string)) to--;
    return value.slice(from, to);
  };
  const bound = strict(invocation, [input, wanted], varying(input.type), evaluate as never, `${side}${blind}`);
  return input.collation === undefined ? bound : { ...bound, collation: input.collation };
}

export const patternFunctions: FunctionTable = {
  PATINDEX: rule(2, 2, bindPatIndex),
  TRIM: rule(1, 2, bindTrim, 2017),
  LTRIM: rule(1, 2, bindTrim),
  RTRIM: rule(1, 2, bindTrim),
};
