import type { FieldType } from './event-catalogue';
import type { CompareOperator } from '../../scenarios/event-session';

/** The kinds of values of a predicate. */
type Comparable = 'number' | 'string';

export function comparableOf(type: FieldType): Comparable {
  return type === 'unicode_string' || type === 'activity_id' || type === 'filetime' ? 'string' : 'number';
}

type Value = number | string;

const fold = (value: Value): Value => (typeof value === 'string' ? value.toLowerCase() : value);

const ORDERS: Readonly<Record<CompareOperator, (a: Value, b: Value) => boolean>> = {
  '=': (a, b) => a === b,
  '<>': (a, b) => a !== b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

/** Without regard to case: SQL Server uses its i_sql comparators for operators. */
export const compares = (operator: CompareOperator, left: Value, right: Value): boolean =>
  ORDERS[operator](fold(left), fold(right));
