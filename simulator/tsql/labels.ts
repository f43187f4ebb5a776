/** GOTO: where its label is, and how execution enters the statements around it. */
import { SqlError } from '../tds/handler';
import { executeWhile } from './execute-flow';
import { runStatements, type Execution } from './interpreter';
import type { Frame, SessionState } from './session-state';
import type { Statement } from './statements';

/** Whether the statement is that label or contains it; TRY and CATCH cannot be entered. */
export function holdsLabel(statement: Statement, label: string): boolean {
  switch (statement.kind) {
    case 'label':
      return statement.name.toLowerCase() === label;
    case 'block':
      return statement.body.some((each) => holdsLabel(each, label));
    case 'while':
      return holdsLabel(statement.body, label);
    case 'if':
      return holdsLabel(statement.then, label) || (statement.otherwise !== undefined && holdsLabel(statement.otherwise, label));
    default:
      return false;
  }
}

export async function* enterLabel(session: SessionState, statement: Statement, frame: Frame, label: string): Execution {
  if (statement.kind === 'block') return yield* runStatements(session, statement.body, frame, label);
  if (statement.kind === 'while') return yield* executeWhile(session, statement, frame, label);
  if (statement.kind !== 'if') return 'next';
  const inside = holdsLabel(statement.then, label) ? statement.then : (statement.otherwise as Statement);
  return yield* enterLabel(session, inside, frame, label);
}

interface Place {
  readonly name: string;
  readonly line: number;
  /** The TRY and CATCH blocks around it, the outermost first. */
  readonly inside: readonly (readonly Statement[])[];
}

/** @throws SqlError 132, 133, 1026. */
export function checkLabels(statements: readonly Statement[]): void {
  const labels = new Map<string, Place>();
  const jumps: Place[] = [];
  const visit = (statement: Statement, inside: Place['inside']): void => {
    if (statement.kind === 'goto') jumps.push({ ...statement, inside });
    if (statement.kind === 'label') {
      if (labels.has(statement.name.toLowerCase())) throw declaredTwice(statement.name, statement.line);
      labels.set(statement.name.toLowerCase(), { ...statement, inside });
    }
    if (statement.kind === 'block') statement.body.forEach((each) => visit(each, inside));
    if (statement.kind === 'while') visit(statement.body, inside);
    if (statement.kind === 'if')
      [statement.then, ...(statement.otherwise ? [statement.otherwise] : [])].forEach((each) => visit(each, inside));
    if (statement.kind === 'try')
      for (const part of [statement.body, statement.handler]) part.forEach((each) => visit(each, [...inside, part]));
  };
  statements.forEach((each) => visit(each, []));
  for (const jump of jumps) checkJump(jump, labels.get(jump.name.toLowerCase()));
}

function checkJump(jump: Place, label: Place | undefined): void {
  if (label === undefined)
    throw new SqlError(133, `A GOTO statement references the label '${jump.name}' but the label has not been declared.`, 15, 1, jump.line);
  if (label.inside.some((block) => !jump.inside.includes(block)))
    throw new SqlError(1026, 'GOTO cannot be used to jump into a TRY or CATCH scope.', 16, 1, jump.line);
}

const declaredTwice = (name: string, line: number): SqlError =>
  new SqlError(
    132,
    `The label '${name}' has already been declared. Label names must be unique within a query batch or stored procedure.`,
    15,
    1,
    line,
  );
