/** Names and single characters: QUOTENAME, PARSENAME, STR, FORMATMESSAGE and the character codes. */
import { SqlError } from '../../tds/handler';
import type { Bound } from '../bound';
import { codePageBytes, codePageText } from '../code-page';
import { callFunction, coerce, convert } from '../coerce';
import { formatMessage } from '../message-format';
import { int, isString, nvarchar, nvarcharMax, varchar, type Value } from '../types';
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

/** The n-th part from the right of a name of up to four parts. */
function parseName(value: string, part: number): Value {
  const parts: string[] = [];
  const pattern = /\s*(?:\[((?:[^\]]|\]\])*)\]|"((?:[^"]|"")*)"|([^.[\]"]*))\s*(\.|$)/y;
  for (;;) {
    const found = pattern.exec(value);
    if (found === null) return null;
    parts.unshift((found[1]?.replace(/\]\]/g, ']') ?? found[2]?.replace(/""/g, '"') ?? found[3] ?? '').trim());
    if (found[4] === '') break;
  }
  const wanted = parts[part - 1];
  return parts.length > 4 || wanted === undefined || wanted === '' ? null : wanted;
}

function bindStr(invocation: Invocation): Bound {
  const number = convert(invocation.binding.duck, arg(invocation, 0), { name: 'float' });
  const rest = invocation.args.slice(1).map((_, index) => asInt(invocation, index + 1));
  const evaluate = (value: number, length = 10, decimals = 0): string => {
    const shown = value.toFixed(Math.min(16, decimals));
    const whole = shown.split('.')[0] as string;
    return whole.length > length ? '*'.repeat(length) : shown.slice(0, length).replace(/\.$/, '').padStart(length);
  };
  const size = invocation.args[1]?.constant?.value;
  return strict(invocation, [number, ...rest], varchar(typeof size === 'number' && size > 0 ? size : 10), evaluate as never);
}

function bindFormatMessage(invocation: Invocation): Bound {
  if (!isString(arg(invocation, 0).type))
    throw new SqlError(50000, 'simulator: FORMATMESSAGE with a message number is not modelled', 16, 1, invocation.line);
  const types = invocation.args.map((each) => each.type);
  return callFunction(invocation.binding.duck, 'FORMATMESSAGE', invocation.args, nvarchar(2047), (template = null, ...values) =>
    template === null ? null : formatMessage(template as string, values, types.slice(1)),
  );
}

const code =
  (unicode: boolean) =>
  (value: string): Value =>
    value === '' ? null : unicode ? value.charCodeAt(0) : (codePageBytes(value[0] as string)[0] as number);
const character =
  (limit: number) =>
  (value: number): Value =>
    value < 0 || value > limit ? null : limit < 256 ? codePageText(Uint8Array.of(value)) : String.fromCharCode(value);

export const nameFunctions: FunctionTable = {
  QUOTENAME: rule(1, 2, bindQuoteName),
  PARSENAME: rule(2, 2, (invocation) => strict(invocation, [text(invocation, 0), asInt(invocation, 1)], nvarchar(128), parseName as never)),
  STR: rule(1, 3, bindStr),
  FORMATMESSAGE: rule(1, 21, bindFormatMessage),
  UNICODE: rule(1, 1, (invocation) => strict(invocation, [text(invocation, 0)], int, code(true) as never)),
  ASCII: rule(1, 1, (invocation) => strict(invocation, [text(invocation, 0)], int, code(false) as never)),
  CHAR: rule(1, 1, (invocation) => strict(invocation, [asInt(invocation, 0)], { name: 'char', length: 1 }, character(255) as never)),
  NCHAR: rule(1, 1, (invocation) => strict(invocation, [asInt(invocation, 0)], { name: 'nchar', length: 1 }, character(65535) as never)),
};
