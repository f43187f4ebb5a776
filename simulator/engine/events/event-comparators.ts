import type { FieldType } from './event-catalogue';
import type { CompareOperator } from '../../scenarios/event-session';

/** The kinds of values that comparators know. One kind of string is enough: the model has no ANSI fields. */
type Comparable = 'number' | 'boolean' | 'string';

type Compare = (left: number | string, right: number | string) => boolean;

export interface Comparator {
  /** The kinds of source that it takes. */
  readonly takes: readonly Comparable[];
  readonly compare: Compare;
}

export function comparableOf(type: FieldType): Comparable {
  if (type === 'unicode_string' || type === 'activity_id' || type === 'filetime') return 'string';
  return type === 'boolean' ? 'boolean' : 'number';
}

const fold = (value: number | string): number | string => (typeof value === 'string' ? value.toLowerCase() : value);

const ORDERS: Readonly<Record<string, Compare>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** The comparator for a plain operator. SQL Server uses its i_sql comparators, which ignore case. */
export function comparatorOf(operator: CompareOperator): Comparator {
  if (operator === 'LIKE') return { takes: ['string'], compare: like };
  if (operator === 'NOT LIKE') return { takes: ['string'], compare: (a, b) => !like(a, b) };
  const order = ORDERS[operator] ?? (() => false);
  return { takes: ['number', 'boolean', 'string'], compare: (a, b) => order(fold(a), fold(b)) };
}

const OPERATORS: Readonly<Record<string, CompareOperator>> = {
  equal: '=',
  not_equal: '<>',
  less_than: '<',
  less_than_equal: '<=',
  greater_than: '>',
  greater_than_equal: '>=',
};

/**
 * A comparator by its name, `package0.greater_than_uint64`. Numbers here are unsigned, so int64 and float64 comparators do not take them
 * (SQL Server does not convert types for comparators: Microsoft Learn, "CREATE EVENT SESSION", string).
 */
export function findComparator(written: string): Comparator | undefined {
  const name = written.toLowerCase();
  const divides = /^package0\.divides_by_(u?)int64$/.exec(name);
  if (divides !== null)
    return { takes: divides[1] === 'u' ? ['number'] : [], compare: (a, b) => Number(b) !== 0 && Number(a) % Number(b) === 0 };
  if (/^sqlserver\.like_i_sql_(ansi|unicode)_string$/.test(name)) return { takes: ['string'], compare: like };
  const plain =
    /^package0\.((?:not_)?equal|(?:less|greater)_than(?:_equal)?)_(uint64|int64|float64|boolean|unicode_string|ansi_string)$/.exec(name);
  if (plain !== null) return { takes: TAKES[plain[2] as string] ?? [], compare: ORDERS[OPERATORS[plain[1] as string] ?? '='] as Compare };
  const folded = /^sqlserver\.((?:not_)?equal|(?:less|greater)_than(?:_equal)?)_i_sql_(?:ansi|unicode)_string$/.exec(name);
  return folded === null ? undefined : { takes: ['string'], compare: comparatorOf(OPERATORS[folded[1] as string] ?? '=').compare };
}

const TAKES: Readonly<Record<string, readonly Comparable[]>> = {
  uint64: ['number', 'boolean'],
  int64: [],
  float64: [],
  boolean: ['boolean'],
  unicode_string: ['string'],
  ansi_string: [],
};

/** Whether SQL Server has it and the model does not: it remembers the greatest or least value, or no event here has its type. */
export function isOtherComparator(written: string): boolean {
  return /^package0\.((less|greater)_than(_equal)?_(min|max)_(u?int64|float64)|(not_)?equal_(guid|binary_data))$/i.test(written);
}

const patterns = new Map<string, RegExp>();

/** LIKE that ignores case: % _ [set] [^set]. */
function like(left: number | string, right: number | string): boolean {
  const pattern = String(right);
  const known = patterns.get(pattern);
  const expression = known ?? toExpression(pattern);
  if (known === undefined) patterns.set(pattern, expression);
  return expression.test(String(left));
}

function toExpression(pattern: string): RegExp {
  const source = pattern.replace(/%|_|\[\^?[^\]]+\]|[\s\S]/g, (part) => {
    if (part === '%') return '[\\s\\S]*';
    if (part === '_') return '[\\s\\S]';
    if (part.length > 1) return part.replace(/\\/g, '\\\\');
    return part.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
  });
  return new RegExp(`^${source}$`, 'i');
}

const ORDER_NAMES = Object.keys(OPERATORS);
const named = (owner: string, names: readonly string[]) => names.map((name) => ({ package: owner, name }));
const ofTypes = (orders: readonly string[], types: readonly string[]) => orders.flatMap((order) => types.map((type) => `${order}_${type}`));

/** The comparators of the model, as sys.dm_xe_objects lists them. */
export const COMPARATORS: readonly { readonly package: string; readonly name: string }[] = [
  ...named('package0', ofTypes(ORDER_NAMES, ['int64', 'uint64', 'float64', 'ansi_string', 'unicode_string'])),
  ...named('package0', ['equal_boolean', 'not_equal_boolean', 'divides_by_int64', 'divides_by_uint64']),
  ...named('sqlserver', ofTypes([...ORDER_NAMES, 'like'], ['i_sql_ansi_string', 'i_sql_unicode_string'])),
];
