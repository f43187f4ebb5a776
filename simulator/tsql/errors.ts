/** SQL Server's own errors, with the numbers and sentences that clients know (sys.messages, language 1033). */
import { SqlError } from '../tds/handler';

export const syntaxError = (near: string, line: number, keyword: boolean): SqlError =>
  keyword
    ? new SqlError(156, `Incorrect syntax near the keyword '${near}'.`, 15, 1, line)
    : new SqlError(102, `Incorrect syntax near '${near}'.`, 15, 1, line);

export const unclosedString = (text: string, line: number): SqlError =>
  new SqlError(105, `Unclosed quotation mark after the character string '${text.slice(0, 128)}'.`, 15, 1, line);

export const unclosedComment = (line: number): SqlError => new SqlError(113, "Missing end comment mark '*/'.", 15, 1, line);

/** For what SQL Server has and this simulator does not: refused by name, never guessed. */
export const notModelled = (what: string, line = 1): SqlError => new SqlError(50000, `simulator: ${what} is not modelled`, 16, 1, line);

export const invalidObject = (name: string, line: number): SqlError => new SqlError(208, `Invalid object name '${name}'.`, 16, 1, line);

/** Azure SQL Database: a name cannot refer to another database. */
export const noCrossDatabaseName = (name: string, line: number): SqlError =>
  new SqlError(40515, `Reference to database and/or server name in '${name}' is not supported in this version of SQL Server.`, 16, 1, line);

export const invalidColumn = (name: string, line: number): SqlError => new SqlError(207, `Invalid column name '${name}'.`, 16, 1, line);

export const multiPart = (name: string, line: number): SqlError =>
  new SqlError(4104, `The multi-part identifier "${name}" could not be bound.`, 16, 1, line);

export const ambiguousColumn = (name: string, line: number): SqlError => new SqlError(209, `Ambiguous column name '${name}'.`, 16, 1, line);

export const unknownFunction = (name: string, line: number): SqlError =>
  new SqlError(195, `'${name}' is not a recognized built-in function name.`, 15, 10, line);

export const unknownMethod = (name: string, line: number): SqlError =>
  new SqlError(
    4121,
    `Cannot find either column "${name.split('.')[0]}" or the user-defined function or aggregate "${name}", or the name is ambiguous.`,
    16,
    1,
    line,
  );

export const argumentCount = (name: string, count: string, line: number): SqlError =>
  new SqlError(174, `The ${name.toLowerCase()} function requires ${count} argument(s).`, 15, 1, line);

export const argumentRange = (name: string, least: number, most: number, line: number): SqlError =>
  new SqlError(189, `The ${name.toLowerCase()} function requires ${least} to ${most} arguments.`, 15, 1, line);

export const unknownProcedure = (name: string, line: number): SqlError =>
  new SqlError(2812, `Could not find stored procedure '${name}'.`, 16, 62, line);

export const undeclared = (name: string, line: number): SqlError =>
  new SqlError(137, `Must declare the scalar variable "${name}".`, 15, 2, line);

export const undeclaredTable = (name: string, line: number): SqlError =>
  new SqlError(1087, `Must declare the table variable "${name}".`, 15, 2, line);

export const overflow = (what: string): SqlError =>
  new SqlError(8115, `Arithmetic overflow error converting expression to data type ${what}.`, 16, 2);

export const operandClash = (left: string, right: string, line: number): SqlError =>
  new SqlError(206, `Operand type clash: ${left} is incompatible with ${right}`, 16, 2, line);

export const invalidOperator = (left: string, right: string, operator: string, line: number): SqlError =>
  new SqlError(402, `The data types ${left} and ${right} are incompatible in the ${operator} operator.`, 16, 1, line);

export const uncommittable = (line: number): SqlError =>
  new SqlError(
    3930,
    'The current transaction cannot be committed and cannot support operations that write to the log file. Roll back the transaction.',
    16,
    1,
    line,
  );

export const cannotDrop = (what: string, name: string, line: number): SqlError =>
  new SqlError(3701, `Cannot drop the ${what} '${name}', because it does not exist or you do not have permission.`, 11, 5, line);

export const tooDeep = (): SqlError =>
  new SqlError(191, 'Some part of your SQL statement is nested too deeply. Rewrite the query or break it up into smaller queries.', 15, 1);
