/** Expressions of T-SQL -> bound expressions. An expression without a rule here is refused. */
import { SqlError } from '../tds/handler';
import { bindAggregate, isAggregate } from './bind-aggregate';
import { bindCall } from './bind-call';
import { bindCondition } from './bind-condition';
import { bindScalarQuery } from './bind-query';
import { bindWindow } from './bind-window';
import { bindXmlMethod } from './bind-xml';
import type { Binding } from './binding';
import { literal, nullLiteral, settledType, type Bound, type BoundCondition } from './bound';
import { coerce, convert } from './coerce';
import { toCodePage } from './code-page';
import { resolveCollation } from './collation';
import { invalidColumn, multiPart, notModelled, undeclared } from './errors';
import { arithmetic } from './operators';
import type { Expression } from './syntax';
import {
  bigint,
  float,
  int,
  isDate,
  isNumber,
  isString,
  nvarchar,
  resolveType,
  unify,
  varchar,
  type Type,
} from './types';
import { sqlError } from '../tds/messages';

/** Only a literal counts its own digits: CAST(7 AS int) and CASE ... THEN 7 are ints of ten. */
export function bindExpression(expression: Expression, binding: Binding): Bound {
  const bound = bindAny(expression, binding);
  const { digits, ...typed } = bound;
  return digits === undefined || expression.kind === 'literal' ? bound : typed;
}

function bindAny(expression: Expression, binding: Binding): Bound {
  const grouped = binding.grouping === undefined ? undefined : bindGrouped(expression, binding);
  if (grouped !== undefined) return grouped;
  switch (expression.kind) {
    case 'literal':
      return bindLiteral(expression);
    case 'variable':
      return bindVariable(expression.name, binding, expression.line);
    case 'column':
      return bindColumn(expression, binding);
    case 'unary':
      return bindUnary(expression, binding);
    case 'binary':
      return arithmetic(
        binding.duck,
        expression.operator,
        bindExpression(expression.left, binding),
        bindExpression(expression.right, binding),
        expression.line,
      );
    case 'case':
      return bindCase(expression, binding);
    case 'cast':
      return bindCast(expression, binding);
    case 'call':
      if (expression.over !== undefined) return bindWindow(expression, binding);
      return isAggregate(expression) ? bindAggregate(expression, binding) : bindCall(expression, binding);
    case 'subquery':
      return bindScalarQuery(expression.query, binding);
    case 'collate':
      return bindCollate(expression, binding);
    case 'method':
      return bindXmlMethod(expression, binding);
    case 'word':
      throw invalidColumn(expression.text, expression.line);
  }
}

/** In a grouped query an expression equal to a key is that key. Other columns of the rows no longer exist. */
function bindGrouped(expression: Expression, binding: Binding): Bound | undefined {
  const grouping = binding.grouping;
  if (
    grouping === undefined ||
    !['column', 'binary', 'cast', 'case', 'call', 'unary', 'collate'].includes(expression.kind)
  )
    return undefined;
  if (grouping.keys.length === 0) return undefined;
  try {
    const { sql } = bindExpression(expression, grouping.inner);
    return grouping.keys.find((key) => key.match === sql)?.bound;
  } catch (error) {
    // If it is not valid for single rows, for example an aggregate, it is no key.
    if (error instanceof SqlError) return undefined;
    throw error;
  }
}

function bindLiteral(expression: Extract<Expression, { kind: 'literal' }>): Bound {
  const { text, line } = expression;
  switch (expression.type) {
    case 'null':
      return nullLiteral;
    case 'string':
      return literal(toCodePage(text), varchar(text.length > 8000 ? 'max' : Math.max(1, text.length)));
    case 'nstring':
      return literal(text, nvarchar(text.length > 4000 ? 'max' : Math.max(1, text.length)));
    case 'binary': {
      const bytes = new Uint8Array(Buffer.from(text.length % 2 === 1 ? `0${text}` : text, 'hex'));
      return literal(bytes, {
        name: 'varbinary',
        length: bytes.length > 8000 ? 'max' : Math.max(1, bytes.length),
      });
    }
    case 'number':
      return bindNumber(text);
    case 'default':
      throw sqlError(156, ['DEFAULT'], line);
  }
}

/** 1 is an int, 3000000000 and 1.5 are decimals, 1e3 is a float. */
function bindNumber(text: string): Bound {
  if (/e/i.test(text)) return literal(Number(/e[+-]?$/i.test(text) ? `${text}0` : text), float);
  if (/^\d+$/.test(text) && BigInt(text) <= 2147483647n)
    return { ...literal(Number(text), int), digits: String(Number(text)).length };
  const [whole = '', fraction = ''] = text.split('.');
  const digits = whole.replace(/^0+/, '');
  const precision = Math.max(1, digits.length + fraction.length);
  if (precision > 38) throw sqlError(1007, [text]);
  return literal(`${digits || '0'}${fraction === '' ? '' : `.${fraction}`}`, {
    name: 'decimal',
    precision,
    scale: fraction.length,
  });
}

function bindVariable(name: string, binding: Binding, line: number): Bound {
  const found = name.startsWith('@@')
    ? binding.facts.global(name.toUpperCase())
    : binding.facts.variable(name);
  if (found === undefined) throw name.startsWith('@@') ? notModelled(name, line) : undeclared(name, line);
  return literal(found.value, found.type);
}

function bindColumn(expression: Extract<Expression, { kind: 'column' }>, binding: Binding): Bound {
  const { parts, line } = expression;
  if (binding.scope === undefined) {
    if (parts.length > 1) throw multiPart(parts.join('.'), line);
    throw invalidColumn(parts[0] as string, line);
  }
  const { grouping } = binding;
  if (grouping !== undefined && grouping.inner.scope?.findHere(parts, line) !== undefined) {
    throw notGrouped(grouping.inner.scope.nameOf(parts), binding.clause, line);
  }
  return binding.scope.find(parts, line).bound;
}

/** @returns 8120 in the select list, 8121 in HAVING, 8127 in ORDER BY. */
function notGrouped(name: string, clause: Binding['clause'], line: number): SqlError {
  return sqlError(clause === 'HAVING' ? 8121 : clause === undefined ? 8120 : 8127, [name], line);
}

/** The result of ~ has the type of its operand: 0 to 255 for a tinyint (Microsoft Learn, "~ (Bitwise NOT)"). */
function allOnes({ type }: Bound): Bound {
  if (type.name === 'bit') return literal(1, type);
  if (type.name === 'tinyint') return literal(255, type);
  return literal(-1, type.name === 'smallint' ? type : int);
}

function bindUnary(expression: Extract<Expression, { kind: 'unary' }>, binding: Binding): Bound {
  const { operator, line } = expression;
  const operand = bindExpression(expression.operand, binding);
  if (operator === '+') return operand;
  if (operator === '~') return arithmetic(binding.duck, '^', operand, allOnes(operand), line);
  if (
    operand.type.name === 'decimal' &&
    operand.constant !== undefined &&
    operand.constant.value !== null &&
    operand.constant.value !== '2147483648'
  ) {
    const text = String(operand.constant.value);
    return literal(text.startsWith('-') ? text.slice(1) : `-${text}`, operand.type);
  }
  if (!isNumber(operand.type) && operand.type.name !== 'null')
    throw sqlError(8117, [operand.type.name, 'minus'], line);
  if (operand.type.name === 'decimal') return { ...operand, sql: `(-${operand.sql})` };
  // tinyint has no negative numbers: it becomes smallint (Microsoft documentation, "- (Negative)").
  const type = operand.type.name === 'tinyint' ? ({ name: 'smallint' } as const) : settledType(operand.type);
  const zero = operand.type.name === 'bigint' ? literal(0n, bigint) : literal(0, type);
  return arithmetic(binding.duck, '-', zero, operand, line);
}

function bindCase(expression: Extract<Expression, { kind: 'case' }>, binding: Binding): Bound {
  const whens = expression.whens.map(({ when, then }) => {
    const condition =
      expression.input === undefined
        ? (when as Parameters<typeof bindCondition>[0])
        : {
            kind: 'compare' as const,
            operator: '=' as const,
            left: expression.input,
            right: when as Expression,
            line: expression.line,
          };
    return { when: bindCondition(condition, binding), then: bindExpression(then, binding) };
  });
  const otherwise =
    expression.otherwise === undefined ? nullLiteral : bindExpression(expression.otherwise, binding);
  requireTyped([...whens.map(({ then }) => then), otherwise], expression.line);
  return bindBranches(binding, whens, otherwise, expression.line);
}

/** @throws SqlError 8133 if every result is the constant NULL. */
function requireTyped(results: readonly Bound[], line: number): void {
  if (results.every((each) => each.type.name === 'null')) throw sqlError(8133, [], line);
}

/**
 * The branches get the type of highest precedence. If a condition is known before execution, only the chosen branch
 * remains.
 */
export function bindBranches(
  binding: Binding,
  whens: readonly { readonly when: BoundCondition; readonly then: Bound }[],
  otherwise: Bound,
  line: number,
): Bound {
  const all = [...whens.map(({ then }) => then), otherwise];
  const type = settledType(all.map((bound) => bound.type).reduce(unify));
  const collation = all.find((bound) => bound.collation !== undefined)?.collation;
  const open = whens.filter(({ when }) => when.constant === undefined || when.constant.value === true);
  const decided = open.findIndex(({ when }) => when.constant !== undefined);
  const kept = decided < 0 ? open : open.slice(0, decided);
  const last = decided < 0 ? otherwise : (open[decided]?.then ?? otherwise);
  const final = coerce(binding.duck, last, type, line);
  if (kept.length === 0) return final;
  const arms = kept.map(
    ({ when, then }) => `WHEN ${when.sql} THEN ${coerce(binding.duck, then, type, line).sql}`,
  );
  return {
    sql: `(CASE ${arms.join(' ')} ELSE ${final.sql} END)`,
    type,
    nullable: all.some((bound) => bound.nullable),
    ...(collation && { collation }),
  };
}

function bindCast(expression: Extract<Expression, { kind: 'cast' }>, binding: Binding): Bound {
  const operand = bindExpression(expression.operand, binding);
  const type = resolveType(expression.type, 30);
  const style = expression.style === undefined ? undefined : bindExpression(expression.style, binding);
  if (style !== undefined && style.constant === undefined)
    throw notModelled('a CONVERT style that is not constant', expression.line);
  const number = style?.constant?.value ?? undefined;
  if (style !== undefined && number === undefined) return literal(null, type);
  if (isDate(type) && !/^(small)?datetime$/.test(type.name) && operand.type.name === 'decimal')
    throw notModelled(`conversion from decimal to ${type.name}`, expression.line);
  return convert(
    binding.duck,
    operand,
    type,
    number === undefined ? undefined : Number(number),
    expression.attempt,
  );
}

function bindCollate(expression: Extract<Expression, { kind: 'collate' }>, binding: Binding): Bound {
  const collation = resolveCollation(expression.collation);
  if (collation === undefined) {
    if (/^[A-Za-z_0-9]+_(CI|CS|BIN2?)(_\w+)?$/.test(expression.collation))
      throw notModelled(`collation ${expression.collation}`, expression.line);
    throw sqlError(448, [expression.collation], expression.line);
  }
  const operand = bindExpression(expression.operand, binding);
  if (!isString(operand.type)) throw sqlError(447, [operand.type.name], expression.line);
  return { ...operand, collation };
}

export function typesUnified(types: readonly Type[]): Type {
  return types.reduce(unify, { name: 'null' });
}
