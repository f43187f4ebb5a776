/** How one function of T-SQL is bound: its number of arguments, and the result. */
import type { Binding } from '../binding';
import { settledType, type Bound } from '../bound';
import { callFunction, coerce } from '../coerce';
import type { ScalarFunction } from '../duck';
import type { Expression } from '../syntax';
import { int, isString, isUnicode, nvarcharMax, type Value } from '../types';
import type { SqlType } from '../../tds/handler';

export interface Invocation {
  readonly name: string;
  readonly args: readonly Bound[];
  /** As written, for functions whose first argument is a word. */
  readonly expressions: readonly Expression[];
  readonly line: number;
  readonly binding: Binding;
}

export interface FunctionRule {
  readonly min: number;
  readonly max: number;
  readonly bind: (invocation: Invocation) => Bound;
  /** The first release that has it; absent if every modelled release has it. */
  readonly since?: number;
}

export type FunctionTable = Readonly<Record<string, FunctionRule>>;

export const rule = (min: number, max: number, bind: FunctionRule['bind'], since?: number): FunctionRule => ({
  min,
  max,
  bind,
  ...(since !== undefined && { since }),
});

/** NULL if any argument is NULL, else `evaluate`. */
export function strict(
  invocation: Invocation,
  args: readonly Bound[],
  result: SqlType,
  evaluate: (...args: never[]) => Value,
  key = invocation.name,
): Bound {
  const guarded: ScalarFunction = (...values) =>
    values.some((value) => value === null) ? null : evaluate(...(values as never[]));
  return callFunction(invocation.binding.duck, key, args, result, guarded);
}

export const arg = ({ args }: Invocation, index: number): Bound => args[index] as Bound;

/** A character argument; other types are converted, as in SQL Server. */
export function text(invocation: Invocation, index: number): Bound {
  const bound = arg(invocation, index);
  return isString(bound.type) ? bound : coerce(invocation.binding.duck, bound, nvarcharMax, invocation.line);
}

export const asInt = (invocation: Invocation, index: number, type: SqlType = int): Bound =>
  coerce(invocation.binding.duck, arg(invocation, index), type, invocation.line);

/** The varying type of a character argument: LEFT of a char is a varchar. */
export function varying(type: Bound['type'], length?: number | 'max'): SqlType {
  const settled = settledType(type);
  const own = isString(settled) ? settled.length : 'max';
  return { name: isUnicode(settled) ? 'nvarchar' : 'varchar', length: length ?? own };
}
