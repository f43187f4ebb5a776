/** How far an error reaches when no TRY catches it: its statement or its batch. */
import type { SqlError } from '../tds/handler';
import type { Statement } from './statements';

/** Errors that end only their statement: the next one runs, unless XACT_ABORT is ON. */
const statementOnly = new Set([
  148, 214, 507, 220, 229, 232, 262, 266, 297, 300, 226, 201, 512, 515, 530, 535, 536, 537, 547, 574, 976,
]);
/** Conversions end the batch. */
const conversions = new Set([235, 241, 242, 244, 245, 248, 281, 289, 293, 295, 296, 529, 8114, 8169, 9400]);
const compilation = new Set([
  911, 1011, 1031, 1038, 1033, 1060, 1062, 1087, 1088, 2389, 8172, 4104, 4108, 4112, 4121, 4127, 4145, 4151,
  5308, 8101, 8116, 8117, 8120, 8150, 8155, 8156, 8158, 8159, 10709, 10742, 10744, 10756, 10759,
]);

/**
 * Errors of names and syntax: found when the statement is compiled, so that a TRY at the same level does not catch
 * them.
 */
export function isCompileError(error: SqlError): boolean {
  if (conversions.has(error.number) || statementOnly.has(error.number)) return false;
  return (error.number >= 101 && error.number < 500) || compilation.has(error.number);
}

export function abortsBatch(error: SqlError): boolean {
  if (statementOnly.has(error.number)) return false;
  return (
    isCompileError(error) ||
    conversions.has(error.number) ||
    isSimulators(error) ||
    unopened.has(error.number)
  );
}

/** Whether the error leaves only ROLLBACK to the transaction. */
export const dooms = (error: SqlError): boolean => conversions.has(error.number);

/** USE cannot open a database: the statements after it must not run in another one. */
const unopened = new Set([916, 927, 942, 976, 978, 983]);

/** Whether the error ends dynamic SQL or a procedure, while the calling batch goes on. */
export const endsScope = (error: SqlError): boolean =>
  (isCompileError(error) && error.number !== 217) || unopened.has(error.number);

/** The simulator's own refusals: statements after them would run on a wrong assumption. */
const isSimulators = (error: SqlError): boolean =>
  error.number === 50000 && error.message.startsWith('simulator:');

interface Origin {
  readonly level: number;
  readonly procedure: string | undefined;
}

/** Where an error occurred: how deep in nested batches, and in which procedure. The innermost mark stays. */
const origins = new WeakMap<SqlError, Origin>();
export function mark(error: SqlError, level: number, procedure: string | undefined): void {
  if (!origins.has(error)) origins.set(error, { level, procedure });
}
export const levelOf = (error: SqlError): number | undefined => origins.get(error)?.level;
export const procedureOf = (error: SqlError): string | undefined =>
  error.procedure ?? origins.get(error)?.procedure;

const terminating = new Set([220, 232, 512, 515, 530, 544, 547, 2627, 2628, 8102, 8115, 8134, 8152]);

/** Whether Msg 3621 follows: the error ended a change of rows that had begun. */
export function terminatesStatement(error: SqlError, statement: Statement): boolean {
  return ['insert', 'update', 'delete'].includes(statement.kind) && terminating.has(error.number);
}
