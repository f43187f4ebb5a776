/** Arguments of a call -> its parameters, and OUTPUT values back. */
import type { SqlError, SqlType } from '../tds/handler';
import { convertValue } from './convert';
import type { DeclaredParameter } from './parse-parameters';
import { evaluate } from './run-query';
import type { Frame, SessionState } from './session-state';
import type { Value } from './types';
import { sqlError } from '../tds/messages';

export interface PassedArgument {
  readonly name: string;
  readonly type: SqlType;
  readonly value: Value;
  readonly isDefault: boolean;
  /** Takes the parameter's value back. */
  readonly output?: (value: Value, type: SqlType) => void;
}

interface Callee {
  readonly name: string;
  readonly missing: (parameter: string) => SqlError;
  readonly line: number;
}

/**
 * Declares the parameters in the callee's frame.
 * @returns the arguments that take values back
 * @throws SqlError 8143 to 8146, 8162, or the callee's own for a missing one.
 */
export async function bindParameters(
  session: SessionState,
  frame: Frame,
  parameters: readonly DeclaredParameter[],
  values: readonly PassedArgument[],
  callee: Callee,
): Promise<ReadonlyMap<string, PassedArgument>> {
  const outputs = new Map<string, PassedArgument>();
  if (parameters.length === 0 && values.length > 0 && callee.name.startsWith('#'))
    throw sqlError(8146, [callee.name], callee.line);
  values.forEach((argument, index) => {
    const parameter = parameterOf(parameters, argument, index, callee);
    const key = parameter.name.toLowerCase();
    if (frame.variables.has(key)) throw sqlError(8143, [parameter.name], callee.line);
    if (argument.isDefault) return;
    frame.variables.set(key, {
      type: parameter.type,
      value: convertValue(argument.value, argument.type, parameter.type),
    });
    if (argument.output === undefined) return;
    if (!parameter.output) throw sqlError(8162, [parameter.name], callee.line);
    outputs.set(key, argument);
  });
  for (const { name, type, defaultValue } of parameters) {
    if (frame.variables.has(name.toLowerCase())) continue;
    if (defaultValue === undefined) throw callee.missing(name);
    frame.variables.set(name.toLowerCase(), {
      type,
      value: (await evaluate(session, frame, defaultValue, type)).value,
    });
  }
  return outputs;
}

function parameterOf(
  parameters: readonly DeclaredParameter[],
  argument: PassedArgument,
  index: number,
  { name, line }: Callee,
): DeclaredParameter {
  const at =
    argument.name === ''
      ? index
      : parameters.findIndex((each) => each.name.toLowerCase() === argument.name.toLowerCase());
  const parameter = parameters[at];
  if (parameter !== undefined) return parameter;
  if (argument.name !== '') throw sqlError(8145, [argument.name, name], line);
  throw sqlError(8144, [name], line);
}

/** The argument of a system procedure, by its place or its name. */
export function argumentOf(
  { args }: { readonly args: readonly PassedArgument[] },
  at: number,
  ...names: readonly string[]
): PassedArgument | undefined {
  const found = args.find((each, index) =>
    each.name === '' ? index === at : names.includes(each.name.toLowerCase()),
  );
  return found?.isDefault === true ? undefined : found;
}

export function handBack(frame: Frame, outputs: ReadonlyMap<string, PassedArgument>): void {
  for (const [name, argument] of outputs) {
    const variable = frame.variables.get(name);
    if (variable !== undefined) argument.output?.(variable.value, variable.type);
  }
}
