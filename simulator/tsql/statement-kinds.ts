/** What kinds of statements have in common. */
import type { SessionState } from './session-state';
import type { Statement } from './statements';
import type { QueryBody } from './syntax';

type Kind = Statement['kind'];

/**
 * Statements that do not set @@ERROR and @@ROWCOUNT: those that run other statements, EXECUTE, and declarations, which
 * do nothing.
 */
const transparent = new Set<Kind>([
  'if',
  'while',
  'block',
  'try',
  'executeText',
  'executeProcedure',
  'break',
  'continue',
  'return',
]);
const counting = new Set<Kind>(['query', 'insert', 'update', 'delete', 'set', 'declare']);

/** @@ERROR and @@ROWCOUNT after a statement without error (Microsoft Learn, "@@ROWCOUNT", "@@ERROR"). */
export function afterStatement(session: SessionState, statement: Statement): void {
  const { kind } = statement;
  if (transparent.has(kind) || isBareDeclaration(statement)) return;
  // RAISERROR sets its own.
  if (kind !== 'raiserror') session.error = 0;
  if (!counting.has(kind)) session.rowCount = 0;
}

const isBareDeclaration = (statement: Statement): boolean =>
  statement.kind === 'declareTable' ||
  (statement.kind === 'declare' && statement.variables.every((each) => each.value === undefined));

const starting = new Set<Kind>([
  'insert',
  'update',
  'delete',
  'createTable',
  'dropTable',
  'createProcedure',
  'dropProcedure',
]);

/** Microsoft Learn, "SET IMPLICIT_TRANSACTIONS": these begin one if none is open; a SELECT only if it reads a table. */
export function startsTransaction(statement: Statement): boolean {
  if (statement.kind === 'query') return readsTable(statement.query.body);
  return starting.has(statement.kind);
}

function readsTable(body: QueryBody): boolean {
  if (body.kind === 'select') return body.from.length > 0;
  return body.kind === 'nested'
    ? readsTable(body.query.body)
    : readsTable(body.left) || readsTable(body.right);
}

/** The statements directly inside one. */
export function statementsWithin(statement: Statement): readonly Statement[] {
  switch (statement.kind) {
    case 'block':
      return statement.body;
    case 'try':
      return [...statement.body, ...statement.handler];
    case 'while':
      return [statement.body];
    case 'if':
      return statement.otherwise === undefined ? [statement.then] : [statement.then, statement.otherwise];
    default:
      return [];
  }
}
