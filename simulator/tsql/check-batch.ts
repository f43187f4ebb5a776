/**
 * What SQL Server finds while it compiles a batch, before any of it runs: undeclared variables, unknown functions and
 * types, BREAK outside a loop, and what an older server does not know.
 */
import { checkFunction, firstRelease } from './bind-call';
import { notModelled, undeclared, undeclaredTable, syntaxError, unknownFunction } from './errors';
import { readWait } from './execute-waitfor';
import type { Frame, SessionState } from './session-state';
import type { TemporaryProcedure, Statement } from './statements';
import type { Call, TypeName } from './syntax';
import { resolveType } from './types';
import { sqlError } from '../tds/messages';
import type { Instance } from '../engine/interface/instance';
import { statementsWithin } from './statement-kinds';

interface Declared {
  readonly variables: Set<string>;
  readonly tables: Set<string>;
  readonly procedure: boolean;
}

/** @throws SqlError 102, 134 to 137, 178, 195, 243, 911, 1087, 2714. */
export function checkBatch(statements: readonly Statement[], frame: Frame, session: SessionState): void {
  const { instance } = session.host;
  checkRelease(statements, instance.release);
  checkTemporaryNames(statements);
  const declared: Declared = {
    variables: new Set(frame.variables.keys()),
    tables: new Set(frame.tables.keys()),
    procedure: false,
  };
  for (const statement of statements) checkStatement(statement, declared, false);
  if (instance.platform === 'azure-sql-database') return;
  checkDatabases(statements, instance);
  if (instance.release < 2025) checkEventSessions(statements, 1);
}

/** The body of a procedure sees only its parameters, and may return a value. */
function checkProcedure({ parameters, body }: TemporaryProcedure): void {
  checkTemporaryNames(body);
  const declared: Declared = { variables: new Set(), tables: new Set(), procedure: true };
  for (const { name } of parameters) declare(name, declared.variables, declared, 1);
  for (const statement of body) checkStatement(statement, declared, false);
}

/** Variables exist from their DECLARE to the end of the batch, in any flow of control. */
function checkStatement(statement: Statement, declared: Declared, loop: boolean): void {
  switch (statement.kind) {
    case 'block':
      return statement.body.forEach((each) => checkStatement(each, declared, loop));
    case 'try':
      return [...statement.body, ...statement.handler].forEach((each) =>
        checkStatement(each, declared, loop),
      );
    case 'if':
      checkNode(statement.condition, declared);
      checkStatement(statement.then, declared, loop);
      return statement.otherwise === undefined
        ? undefined
        : checkStatement(statement.otherwise, declared, loop);
    case 'while':
      checkNode(statement.condition, declared);
      return checkStatement(statement.body, declared, true);
    case 'break':
    case 'continue':
      if (loop) return;
      throw sqlError(statement.kind === 'break' ? 135 : 136, [], statement.line);
    default:
      return checkSimple(statement, declared);
  }
}

function checkSimple(statement: Statement, declared: Declared): void {
  switch (statement.kind) {
    case 'declare':
      for (const { name, type, value } of statement.variables) {
        resolveType(type);
        checkNode(value, declared);
        declare(name, declared.variables, declared, statement.line);
      }
      return;
    case 'declareTable':
      statement.table.columns.forEach((column) => resolveType(column.type));
      return declare(statement.name, declared.tables, declared, statement.line);
    case 'createProcedure':
      return checkProcedure(statement.procedure);
    case 'waitfor':
      if (statement.value.kind === 'literal') readWait(statement.value.text, statement.line);
      return checkNode(statement, declared);
    case 'return':
      if (statement.value !== undefined && !declared.procedure) throw sqlError(178, [], statement.line);
      return checkNode(statement.value, declared);
    case 'set':
      need(statement.name, declared, statement.line);
      return checkNode(statement, declared);
    case 'insert':
    case 'update':
    case 'delete':
      if (statement.target[0]?.startsWith('@')) needTable(statement.target[0], declared, statement.line);
      return checkNode(statement, declared);
    default:
      return checkNode(statement, declared);
  }
}

function declare(name: string, into: Set<string>, declared: Declared, line: number): void {
  const key = name.toLowerCase();
  if (declared.variables.has(key) || declared.tables.has(key)) throw sqlError(134, [name], line);
  into.add(key);
}

function need(name: string, declared: Declared, line: number): void {
  if (!name.startsWith('@@') && !declared.variables.has(name.toLowerCase())) throw undeclared(name, line);
}

function needTable(name: string, declared: Declared, line: number): void {
  if (!declared.tables.has(name.toLowerCase())) throw undeclaredTable(name, line);
}

/** Every variable, function and type below a piece of syntax. */
function checkNode(node: unknown, declared: Declared, depth = 0): void {
  if (Array.isArray(node)) return node.forEach((each) => checkNode(each, declared, depth));
  if (typeof node !== 'object' || node === null) return;
  const { kind, line, name } = node as {
    readonly kind?: string;
    readonly line: number;
    readonly name?: unknown;
  };
  if (kind === 'variable') need(name as string, declared, line);
  if (kind === 'assign') need((node as { readonly variable: string }).variable, declared, line);
  if (kind === 'table' && Array.isArray(name) && (name[0] as string).startsWith('@'))
    needTable(name[0] as string, declared, line);
  if (kind === 'call') checkFunction(node as Call);
  if (kind === 'cast') resolveType((node as { readonly type: TypeName }).type, 30);
  const inside = depth + (subqueries.has(kind ?? '') && 'query' in node ? 1 : 0);
  if (inside > deepest) throw notModelled(`a subquery more than ${deepest} levels deep`, line);
  for (const [key, value] of Object.entries(node)) if (key !== 'type') checkNode(value, declared, inside);
}

/**
 * Most levels of subqueries. SQL Server allows 32 (Microsoft Learn, "Subqueries"), but here planning time doubles with
 * each.
 */
const deepest = 16;
const subqueries = new Set(['subquery', 'exists', 'in']);

/** @throws SqlError 102 for MAX_DURATION before 2025. Microsoft Learn, "CREATE EVENT SESSION", MAX_DURATION. */
function checkEventSessions(node: unknown, line: number): void {
  if (typeof node !== 'object' || node === null) return;
  const { options, line: own } = node as { readonly options?: unknown; readonly line?: unknown };
  const here = typeof own === 'number' ? own : line;
  if (typeof options === 'object' && options !== null && 'MAX_DURATION' in options)
    throw syntaxError('MAX_DURATION', here, false);
  for (const value of Object.values(node)) checkEventSessions(value, here);
}

/**
 * If USE names a database that does not exist, nothing of the batch runs, even if an earlier statement would have
 * created it (David Dye, "SQL Server 2012 T-SQL Recipes", recipe 20-1).
 * @throws SqlError 911.
 */
function checkDatabases(statements: readonly Statement[], instance: Instance): void {
  for (const statement of statements) {
    if (statement.kind === 'use' && instance.findDatabase(statement.database) === undefined)
      throw sqlError(911, [statement.database], statement.line);
    checkDatabases(statementsWithin(statement), instance);
  }
}

/** @throws SqlError 195 for a function that came with a later release. */
function checkRelease(node: unknown, release: number): void {
  if (Array.isArray(node)) return node.forEach((each) => checkRelease(each, release));
  if (typeof node !== 'object' || node === null) return;
  if ((node as { readonly kind?: string }).kind === 'call') {
    const { name, line } = node as Call;
    if (firstRelease(name.length === 1 ? (name[0] as string) : name.slice(-2).join('.')) > release)
      throw unknownFunction(name.join('.'), line);
  }
  for (const value of Object.values(node)) checkRelease(value, release);
}

/**
 * A batch or procedure may create a #table of one name only once, even in different branches or after a DROP (Microsoft
 * Learn, "CREATE TABLE", "Temporary tables").
 * @throws SqlError 2714.
 */
function checkTemporaryNames(statements: readonly Statement[], found = new Set<string>()): void {
  for (const statement of statements) {
    const name = statement.kind === 'createTable' ? statement.name[statement.name.length - 1] : undefined;
    if (name !== undefined && found.has(name.toLowerCase()))
      throw sqlError(2714, [name], statement.line, { state: 1 });
    if (name !== undefined) found.add(name.toLowerCase());
    checkTemporaryNames(statementsWithin(statement), found);
  }
}
