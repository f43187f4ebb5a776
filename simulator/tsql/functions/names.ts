import type { Bound } from '../bound';
import { coerce, convert } from '../coerce';
import { nvarchar, nvarcharMax, varchar, type Value } from '../types';
import { arg, asInt, rule, strict, text, type FunctionTable, type Invocation } from './rule';

const quotes: Readonly<Record<string, readonly [string, string]>> = {
  '[': ['[', ']'],
  ']': ['[', ']'],
  "'": ["'", "'"],
  '"': ['"', '"'],
  '(': ['(', ')'],
  ')': ['(', ')'],
  '<': ['<', '>'],
  '>': ['<', '>'],
  '{': ['{', '}'],
  '}': ['{', '}'],
  '`': ['`', '`'],
};

/** NULL for more than 128 characters, as documented. */
function quoteName(value: string, mark = '['): Value {
  const pair = quotes[mark[0] ?? '['];
  if (pair === undefined || value.length > 128) return null;
  return `${pair[0]}${value.split(pair[1]).join(pair[1] + pair[1])}${pair[1]}`;
}

function bindQuoteName(invocation: Invocation): Bound {
  const args = [
    coerce(invocation.binding.duck, text(invocation, 0), nvarcharMax, invocation.line),
    ...(invocation.args.length > 1 ? [text(invocation, 1)] : []),
  ];
  return strict(invocation, args, nvarchar(258), quoteName as never);
}

function bindStr(invocation: Invocation): Bound {
  const number = convert(invocation.binding.duck, arg(invocation, 0), { name: 'float' });
  const rest = invocation.args.slice(1).map((_, index) => asInt(invocation, index + 1));
  const evaluate = (value: number, length = 10, decimals = 0): string => {
    const shown = value.toFixed(Math.min(16, decimals));
    const whole = shown.split('.')[0] as string;
    return whole.length > length
      ? '*'.repeat(length)
      : shown.slice(0, length).replace(/\.$/, '').padStart(length);
  };
  const size = invocation.args[1]?.constant?.value;
  return strict(
    invocation,
    [number, ...rest],
    varchar(typeof size === 'number' && size > 0 ? size : 10),
    evaluate as never,
  );
}
const character = (value: number): Value => (value < 0 || value > 65_535 ? null : String.fromCharCode(value));

export const nameFunctions: FunctionTable = {
  QUOTENAME: rule(1, 2, bindQuoteName),
  STR: rule(1, 3, bindStr),
  NCHAR: rule(1, 1, (invocation) =>
    strict(invocation, [asInt(invocation, 0)], { name: 'nchar', length: 1 }, character as never),
  ),
};
