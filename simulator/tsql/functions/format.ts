/**
 * FORMAT for culture en-US (Microsoft documentation, "FORMAT (Transact-SQL)", and .NET's "Standard numeric format strings", "Custom date and time format
 * strings"). Formats that depend on the .NET or Windows of the server (percent signs, negative currency, exponents) are refused by name.
 */
import { SqlError, type SqlType } from '../../tds/handler';
import { settledType, type Bound } from '../bound';
import { callFunction } from '../coerce';
import { civilOf, pad, type Civil } from '../datetime';
import { scaledText, unscaled } from '../decimal';
import { notModelled } from '../errors';
import { isDate, isInteger, isNumber, nvarchar, type Value } from '../types';
import { arg, rule, text, type FunctionTable, type Invocation } from './rule';

function bindFormat(invocation: Invocation): Bound {
  const { line, binding } = invocation;
  const value = arg(invocation, 0);
  const type = settledType(value.type);
  const culture = invocation.args[2]?.constant?.value;
  if (invocation.args.length > 2 && String(culture).toLowerCase() !== 'en-us')
    throw notModelled(`FORMAT for culture ${String(culture)}`, line);
  if (type.name === 'datetimeoffset' || type.name === 'time') throw notModelled(`FORMAT of ${type.name}`, line);
  if (type.name === 'bit' || !(isNumber(type) || isDate(type)))
    throw new SqlError(8116, `Argument data type ${type.name} is invalid for argument 1 of format function.`, 16, 1, line);
  return callFunction(binding.duck, 'FORMAT', [value, text(invocation, 1)], nvarchar(4000), (given = null, pattern = null) => {
    if (given === null || pattern === null) return null;
    return isDate(type)
      ? formatDay(civilOf(given as bigint), String(pattern))
      : formatNumber(plainText(given, type), String(pattern), type);
  });
}

/** .NET shows a double with 15 digits. */
function plainText(value: Exclude<Value, null>, type: SqlType): string {
  if (type.name !== 'float' && type.name !== 'real') return String(value);
  const [digits = '0', exponent = '0'] = (value as number).toExponential(type.name === 'real' ? 6 : 14).split('e');
  return scaledText(unscaled(digits, 14) * 10n ** BigInt(Math.max(0, Number(exponent))), 14 + Math.max(0, -Number(exponent)));
}

function formatNumber(value: string, pattern: string, type: SqlType): Value {
  const standard = /^([a-z])(\d{0,2})$/i.exec(pattern);
  if (standard === null) return customNumber(value, pattern);
  const places = standard[2] === '' ? undefined : Number(standard[2]);
  const negative = value.startsWith('-');
  switch ((standard[1] as string).toUpperCase()) {
    case 'N':
      return signed(value, grouped(fixedText(value, places ?? 2)));
    case 'F':
      return signed(value, fixedText(value, places ?? 2));
    case 'C':
      if (negative) throw notModelled('FORMAT of a negative amount as currency');
      return `$${grouped(fixedText(value, places ?? 2))}`;
    case 'D':
      if (!isInteger(type)) return null;
      return `${negative ? '-' : ''}${value.replace('-', '').padStart(places ?? 1, '0')}`;
    case 'X': {
      if (!isInteger(type)) return null;
      if (negative) throw notModelled('FORMAT of a negative number as X');
      const hex = BigInt(value)
        .toString(16)
        .padStart(places ?? 1, '0');
      return standard[1] === 'X' ? hex.toUpperCase() : hex;
    }
    case 'G':
      if (places === undefined && isInteger(type)) return value;
      throw notModelled(`FORMAT ${pattern}`);
    default:
      throw notModelled(`FORMAT ${pattern}`);
  }
}

/** Rounded half away from zero, without sign. */
const fixedText = (value: string, places: number): string => scaledText(unscaled(value.replace('-', ''), places), places);

/** A number that rounds to zero has no sign, as in .NET Framework. */
const signed = (value: string, shown: string): string => (value.startsWith('-') && /[1-9]/.test(shown) ? `-${shown}` : shown);

function grouped(shown: string): string {
  const [whole = '', fraction] = shown.split('.');
  return `${whole.replace(/\B(?=(?:\d{3})+$)/g, ',')}${fraction === undefined ? '' : `.${fraction}`}`;
}

/** `0`, `#`, `,` between digits and `.`, in one section with text before and after. */
function customNumber(value: string, pattern: string): string {
  const found = /^([^0#.,%‰;Ee\\'"]*)([0#,]*)(?:\.([0#]*))?([^0#.,%‰;Ee\\'"]*)$/.exec(pattern);
  if (found === null || found[2] === undefined || /,$/.test(found[2])) throw notModelled(`FORMAT ${pattern}`);
  const [, before = '', whole = '', fraction = '', behind = ''] = found;
  if (/[a-z]/i.test(before + behind) || whole + fraction === '') throw notModelled(`FORMAT ${pattern}`);
  const rounded = fixedText(value, fraction.length);
  const [digits = '0', decimals = ''] = rounded.split('.');
  const least = whole.replace(/[#,]/g, '').length === 0 ? 0 : whole.replace(/,/g, '').length - whole.replace(/,/g, '').indexOf('0');
  const padded = (digits === '0' ? '' : digits).padStart(least, '0');
  const kept = Math.max(fraction.lastIndexOf('0') + 1, decimals.replace(/0+$/, '').length);
  const shown = (whole.includes(',') ? grouped(padded) : padded) + (kept === 0 ? '' : `.${decimals.slice(0, kept)}`);
  return signed(value, `${before}${shown}${behind}`);
}

const months = ['January', 'February', 'March', 'April', 'May', 'June', 'July', 'August', 'September', 'October', 'November', 'December'];
const weekdays = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

const standardDates: Readonly<Record<string, string>> = {
  d: 'M/d/yyyy',
  D: 'dddd, MMMM d, yyyy',
  t: 'h:mm tt',
  T: 'h:mm:ss tt',
  g: 'M/d/yyyy h:mm tt',
  G: 'M/d/yyyy h:mm:ss tt',
  s: "yyyy'-'MM'-'dd'T'HH':'mm':'ss",
  u: "yyyy'-'MM'-'dd HH':'mm':'ss'Z'",
  M: 'MMMM d',
  m: 'MMMM d',
  Y: 'MMMM yyyy',
  y: 'MMMM yyyy',
};

function formatDay(c: Civil, pattern: string): Value {
  const custom = pattern.length === 1 ? standardDates[pattern] : pattern;
  if (custom === undefined) throw notModelled(`FORMAT ${pattern}`);
  let shown = '';
  const token = /'([^']*)'|"([^"]*)"|\\(.)|([a-zA-Z])\4*|[^'"\\a-zA-Z]/gy;
  for (let found = token.exec(custom); found !== null; found = token.exec(custom)) {
    const quoted = found[1] ?? found[2] ?? found[3];
    if (quoted !== undefined) shown += quoted;
    else if (found[4] === undefined) shown += found[0];
    else shown += datePart(c, found[0], pattern);
    if (token.lastIndex === custom.length) return shown;
  }
  throw notModelled(`FORMAT ${pattern}`);
}

function datePart(c: Civil, word: string, pattern: string): string {
  const parts: Readonly<Record<string, () => string>> = {
    d: () => String(c.day),
    dd: () => pad(c.day),
    ddd: () => (weekdays[c.weekday] as string).slice(0, 3),
    dddd: () => weekdays[c.weekday] as string,
    M: () => String(c.month),
    MM: () => pad(c.month),
    MMM: () => (months[c.month - 1] as string).slice(0, 3),
    MMMM: () => months[c.month - 1] as string,
    yy: () => pad(c.year % 100),
    yyyy: () => pad(c.year, 4),
    H: () => String(c.hour),
    HH: () => pad(c.hour),
    h: () => String(((c.hour + 11) % 12) + 1),
    hh: () => pad(((c.hour + 11) % 12) + 1),
    m: () => String(c.minute),
    mm: () => pad(c.minute),
    s: () => String(c.second),
    ss: () => pad(c.second),
    t: () => (c.hour < 12 ? 'A' : 'P'),
    tt: () => (c.hour < 12 ? 'AM' : 'PM'),
  };
  if (/^f{1,7}$/.test(word)) return pad(c.fraction, 7).slice(0, word.length);
  const part = parts[word];
  if (part === undefined) throw notModelled(`FORMAT ${pattern}`);
  return part();
}

export const formatFunctions: FunctionTable = { FORMAT: rule(2, 3, bindFormat) };
