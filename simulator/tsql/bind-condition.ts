/** Search conditions, in three-valued logic. */
import { bindExpression } from './bind-expression';
import { bindQuery } from './bind-query';
import type { Binding } from './binding';
import { knownCondition, settledType, type Bound, type BoundCondition } from './bound';
import { coerce, collationOf, equalityKeyOf } from './coerce';
import { likePattern } from './like';
import { alignSides, alignTo, compare } from './operators';
import type { Condition, Expression, Query, SelectItem } from './syntax';
import { type Collation, isString, isUnicode, nvarcharMax, unify, type Value } from './types';
import { sqlError } from '../tds/messages';

type Of<K extends Condition['kind']> = Extract<Condition, { readonly kind: K }>;

export function bindCondition(condition: Condition, binding: Binding): BoundCondition {
  switch (condition.kind) {
    case 'and':
      return conjunction(bindCondition(condition.left, binding), bindCondition(condition.right, binding));
    case 'or':
      return disjunction(bindCondition(condition.left, binding), bindCondition(condition.right, binding));
    case 'not':
      return negation(bindCondition(condition.operand, binding));
    case 'compare':
      return compare(
        binding.duck,
        condition.operator,
        bindExpression(condition.left, binding),
        bindExpression(condition.right, binding),
        condition.line,
      );
    case 'isNull':
      return bindIsNull(condition, binding);
    case 'in':
      return negateIf(condition.negated, bindIn(condition, binding));
    case 'between':
      return negateIf(condition.negated, bindBetween(condition, binding));
    case 'like':
      return negateIf(condition.negated, bindLike(condition, binding));
    case 'exists':
      return { sql: `EXISTS (${bindQuery(withoutStar(condition.query), binding, { exists: true }).sql})` };
  }
}

/** EXISTS (SELECT * WHERE ...) needs no columns and no FROM. */
function withoutStar(query: Query): Query {
  const { body } = query;
  if (body.kind !== 'select' || body.from.length > 0) return query;
  const items = body.items.map((item): SelectItem =>
    item.kind === 'star' && item.qualifier === undefined
      ? { kind: 'expression', expression: { kind: 'literal', type: 'number', text: '1', line: item.line } }
      : item,
  );
  return { ...query, body: { ...body, items } };
}

function conjunction(left: BoundCondition, right: BoundCondition): BoundCondition {
  if (left.constant?.value === false || right.constant?.value === false) return knownCondition(false);
  if (left.constant?.value === true) return right;
  if (right.constant?.value === true) return left;
  if (left.constant !== undefined && right.constant !== undefined) return knownCondition(null);
  return { sql: `(${left.sql} AND ${right.sql})` };
}

function disjunction(left: BoundCondition, right: BoundCondition): BoundCondition {
  if (left.constant?.value === true || right.constant?.value === true) return knownCondition(true);
  if (left.constant?.value === false) return right;
  if (right.constant?.value === false) return left;
  if (left.constant !== undefined && right.constant !== undefined) return knownCondition(null);
  return { sql: `(${left.sql} OR ${right.sql})` };
}

function negation(operand: BoundCondition): BoundCondition {
  if (operand.constant !== undefined)
    return knownCondition(operand.constant.value === null ? null : !operand.constant.value);
  return { sql: `(NOT ${operand.sql})` };
}

const negateIf = (negated: boolean, condition: BoundCondition): BoundCondition =>
  negated ? negation(condition) : condition;

function bindIsNull(condition: Of<'isNull'>, binding: Binding): BoundCondition {
  const operand = bindExpression(condition.operand, binding);
  if (operand.constant !== undefined)
    return knownCondition((operand.constant.value === null) !== condition.negated);
  return { sql: `(${operand.sql} IS ${condition.negated ? 'NOT ' : ''}NULL)` };
}

function bindIn(condition: Of<'in'>, binding: Binding): BoundCondition {
  const operand = bindExpression(condition.operand, binding);
  if (condition.query !== undefined) return bindInQuery(operand, condition, binding);
  const list = (condition.list ?? []).map((item) => bindExpression(item, binding));
  // IN has one type for its whole list.
  const type = settledType([operand, ...list].map((bound) => bound.type).reduce(unify));
  const collation = collationOf(operand, ...list);
  const sides = [operand, ...list].map((bound) => alignTo(binding.duck, bound, type, condition.line));
  if (sides.every((side) => side.constant !== undefined)) {
    const [first, ...rest] = sides as [Bound, ...Bound[]];
    return rest.map((item) => compare(binding.duck, '=', first, item, condition.line)).reduce(disjunction);
  }
  const [first, ...keys] = sides.map((side) => equalityKeyOf(binding.duck, side, collation));
  return { sql: `(${first} IN (${keys.join(', ')}))` };
}

function bindInQuery(operand: Bound, condition: Of<'in'>, binding: Binding): BoundCondition {
  const query = bindQuery(condition.query as NonNullable<typeof condition.query>, binding);
  const column = singleColumn(query.columns, condition.line);
  const inner: Bound = { ...column, sql: 'q.c1' };
  const [l, r] = alignSides(binding.duck, operand, inner, condition.line);
  const collation = collationOf(operand, inner);
  const keys = [l, r].map((side) => equalityKeyOf(binding.duck, side, collation));
  return { sql: `(${keys[0]} IN (SELECT ${keys[1]} FROM (${query.sql}) AS q))` };
}

function singleColumn<T>(columns: readonly T[], line: number): T {
  if (columns.length !== 1) throw sqlError(116, [], line);
  return columns[0] as T;
}

function bindBetween(condition: Of<'between'>, binding: Binding): BoundCondition {
  const { line } = condition;
  const [operand, low, high] = [condition.operand, condition.low, condition.high].map((side: Expression) =>
    bindExpression(side, binding),
  ) as [Bound, Bound, Bound];
  return conjunction(
    compare(binding.duck, '>=', operand, low, line),
    compare(binding.duck, '<=', operand, high, line),
  );
}

function bindLike(condition: Of<'like'>, binding: Binding): BoundCondition {
  const left = bindExpression(condition.operand, binding);
  const right = bindExpression(condition.pattern, binding);
  const escape = condition.escape === undefined ? undefined : bindExpression(condition.escape, binding);
  const collation = collationOf(left, right);
  const args = [left, right, ...(escape === undefined ? [] : [escape])].map((side) =>
    isString(side.type) ? side : coerce(binding.duck, side, nvarcharMax, condition.line),
  );
  const unicode = args.slice(0, 2).some((arg) => isUnicode(arg.type));
  if (args.every((arg) => arg.constant !== undefined)) {
    if (args.some((arg) => arg.constant?.value === null)) return knownCondition(null);
    const [text, pattern, mark] = args.map((arg) => arg.constant?.value as string);
    return knownCondition(likePattern(pattern as string, mark, collation, unicode).test(text as string));
  }
  const sql = args.map((arg) => arg.sql).join(', ');
  return { sql: `(${likeFunction(binding, args, collation, unicode)}(${sql}) = 1)` };
}

/** Keeps the last pattern compiled: within a statement it rarely changes. */
function likeFunction(
  binding: Binding,
  args: readonly Bound[],
  collation: Collation,
  unicode: boolean,
): string {
  let compiled: { key: string; pattern: RegExp } | undefined;
  const evaluate = (text: Value = null, pattern: Value = null, escape?: Value): Value => {
    if (text === null || pattern === null || escape === null) return null;
    const key = `${escape as string}\0${pattern as string}`;
    if (compiled?.key !== key)
      compiled = { key, pattern: likePattern(pattern as string, escape, collation, unicode) };
    return compiled.pattern.test(text as string) ? 1 : 0;
  };
  const types = args.map(() => nvarcharMax);
  return binding.duck.registerFunction(
    `like:${args.length}:${collation}:${unicode}`,
    types,
    { name: 'bit' },
    evaluate as never,
    false,
  );
}
