/** SQL Server's own errors, with the numbers and sentences that clients know (sys.messages, language 1033). */
import type { SqlError } from '../tds/handler';
import { sqlError } from '../tds/messages';

export const syntaxError = (near: string, line: number, keyword: boolean): SqlError =>
  sqlError(keyword ? 156 : 102, [near], line);

export const unclosedString = (text: string, line: number): SqlError =>
  sqlError(105, [text.slice(0, 128)], line);

export const unclosedComment = (line: number): SqlError => sqlError(113, [], line);

export { notModelled } from '../tds/messages';

export const invalidObject = (name: string, line: number): SqlError => sqlError(208, [name], line);

/** Azure SQL Database: a name cannot refer to another database. */
export const noCrossDatabaseName = (name: string, line: number): SqlError => sqlError(40515, [name], line);

export const invalidColumn = (name: string, line: number): SqlError => sqlError(207, [name], line);

export const multiPart = (name: string, line: number): SqlError => sqlError(4104, [name], line);

export const ambiguousColumn = (name: string, line: number): SqlError => sqlError(209, [name], line);

export const unknownFunction = (name: string, line: number): SqlError => sqlError(195, [name], line);

export const unknownMethod = (name: string, line: number): SqlError =>
  sqlError(4121, [name.split('.')[0], name], line);

export const argumentCount = (name: string, count: string, line: number): SqlError =>
  sqlError(174, [name.toLowerCase(), count], line);

export const argumentRange = (name: string, least: number, most: number, line: number): SqlError =>
  sqlError(189, [name.toLowerCase(), least, most], line);

export const unknownProcedure = (name: string, line: number): SqlError => sqlError(2812, [name], line);

export const undeclared = (name: string, line: number): SqlError => sqlError(137, [name], line);

export const undeclaredTable = (name: string, line: number): SqlError => sqlError(1087, [name], line);

export const overflow = (what: string): SqlError => sqlError(8115, ['expression', what]);

export const operandClash = (left: string, right: string, line: number): SqlError =>
  sqlError(206, [left, right], line);

export const invalidOperator = (left: string, right: string, operator: string, line: number): SqlError =>
  sqlError(402, [left, right, operator], line);

export const uncommittable = (line: number): SqlError => sqlError(3930, [], line);

export const cannotDrop = (what: string, name: string, line: number): SqlError =>
  sqlError(3701, [what, name], line);

export const tooDeep = (): SqlError => sqlError(191);
