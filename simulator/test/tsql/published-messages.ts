/**
 * Number, severity and text of SQL Server's messages as Microsoft publishes them: Microsoft Learn, "Database Engine
 * events and errors", the lists of 0 to 999, 1000 to 1999, 2000 to 2999, 3000 to 3999, 4000 to 4999, 5000 to 5999, 8000
 * to 8999, 10000 to 10999, 15000 to 15999 and 31000 to 41399.
 */
const LISTED = `
102 15 Incorrect syntax near '%.*ls'.
105 15 Unclosed quotation mark after the character string '%.*ls'.
113 15 Missing end comment mark '*/'.
119 15 Must pass parameter number %d and subsequent parameters as '@name = value'. After the form '@name = value' has been used, all subsequent parameters must be passed in the form '@name = value'.
134 15 The variable name '%.*ls' has already been declared. Variable names must be unique within a query batch or stored procedure.
135 15 Cannot use a BREAK statement outside the scope of a WHILE statement.
137 15 Must declare the scalar variable "%.*ls".
141 15 A SELECT statement that assigns a value to a variable must not be combined with data-retrieval operations.
148 15 Incorrect time syntax in time string '%.*ls' used with WAITFOR.
156 15 Incorrect syntax near the keyword '%.*ls'.
174 15 The %.*ls function requires %d argument(s).
178 15 A RETURN statement with a return value cannot be used in this context.
189 15 The %ls function requires %d to %d arguments.
195 15 '%.*ls' is not a recognized %S_MSG.
201 16 Procedure or function '%.*ls' expects parameter '%.*ls', which was not supplied.
207 16 Invalid column name '%.*ls'.
208 16 Invalid object name '%.*ls'.
209 16 Ambiguous column name '%.*ls'.
213 16 Column name or number of supplied values does not match table definition.
220 16 Arithmetic overflow error for data type %ls, value = %ld.
226 16 %ls statement not allowed within multi-statement transaction.
241 16 Conversion failed when converting date and/or time from character string.
242 16 The conversion of a %ls data type to a %ls data type resulted in an out-of-range value.
245 16 Conversion failed when converting the %ls value '%.*ls' to data type %ls.
262 14 %ls permission denied in database '%.*ls'.
266 16 Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements. Previous count = %ld, current count = %ld.
295 16 Conversion failed when converting character string to smalldatetime data type.
297 16 The user does not have permission to perform this action.
300 14 %ls permission was denied on object '%.*ls', database '%.*ls'.
402 16 The data types %s and %s are incompatible in the %s operator.
507 16 Invalid argument for SET ROWCOUNT. Must be a non-null non-negative integer.
512 16 Subquery returned more than 1 value. This is not permitted when the subquery follows =, !=, <, <= , >, >= or when the subquery is used as an expression.
515 16 Cannot insert the value NULL into column '%.*ls', table '%.*ls'; column does not allow nulls. %ls fails.
544 16 Cannot insert explicit value for identity column in table '%.*ls' when IDENTITY_INSERT is set to OFF.
574 16 %ls statement cannot be used inside a user transaction.
911 16 Database '%.*ls' does not exist. Make sure that the name is entered correctly.
927 14 Database '%.*ls' cannot be opened. It is in the middle of a restore.
942 14 Database '%.*ls' cannot be opened because it is offline.
1038 15 An object or column name is missing or empty. For SELECT INTO statements, verify each column has a name. For other statements, look for empty alias names. Aliases defined as "" or [] are not allowed. Change the alias to a valid name.
1087 15 Must declare the table variable "%.*ls".
2571 14 User '%.*ls' does not have permission to run DBCC %.*ls.
2583 16 An incorrect number of parameters was given to the DBCC statement.
2627 14 Violation of %ls constraint '%.*ls'. Cannot insert duplicate key in object '%.*ls'. The duplicate key value is %ls.
2628 16 String or binary data would be truncated in table '%.*ls', column '%.*ls'. Truncated value: '%.*ls'.
2714 16 There is already an object named '%.*ls' in the database.
2786 16 The data type of substitution parameter %d does not match the expected type of the format specification.
2787 16 Invalid format specification: '%.*ls'.
2812 16 Could not find stored procedure '%.*ls'.
3701 11 Cannot %S_MSG the %S_MSG '%.*ls', because it does not exist or you do not have permission.
3902 16 The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.
3903 16 The ROLLBACK TRANSACTION request has no corresponding BEGIN TRANSACTION.
3906 16 Failed to update database "%.*ls" because the database is read-only.
3915 16 Cannot use the ROLLBACK statement within an INSERT-EXEC statement.
4104 16 The multi-part identifier "%.*ls" could not be bound.
4145 15 An expression of non-boolean type specified in a context where a condition is expected, near '%.*ls'.
5004 16 To use ALTER DATABASE, the database must be in a writable state in which a checkpoint can be executed.
5011 14 User does not have permission to alter database '%.*ls', the database does not exist, or the database is not in a state that allows access checks.
5069 16 ALTER DATABASE statement failed.
8134 16 Divide by zero error encountered.
8152 16 String or binary data would be truncated.
8155 15 No column name was specified for column %d of '%.*ls'.
8164 16 An INSERT EXEC statement cannot be nested.
8178 16 The parameterized query '%.*ls' expects the parameter '%.*ls', which was not supplied.
10704 15 To rethrow an error, a THROW statement must be used inside a CATCH block. Insert the THROW statement inside a CATCH block, or add error parameters to the THROW statement.
15129 16 '%d' is not a valid value for configuration option '%s'.
15151 16 Cannot %S_MSG the %S_MSG '%.*ls', because it does not exist or you do not have permission.
`;

export const publishedMessages: ReadonlyMap<number, readonly [severity: number, text: string]> = new Map(
  LISTED.trim()
    .split('\n')
    .map((line) => /^(\d+) (\d+) (.*)$/.exec(line) as RegExpExecArray)
    .map(([, number, severity, text]) => [Number(number), [Number(severity), text as string]]),
);

/** The published text with anything in the place of `%d`, `%.*ls`... */
export function messagePattern(text: string): RegExp {
  const parts = text.split(/%(?:\.\*ls|S_MSG|I64d|l[ds]|hs|[dfs])/);
  return new RegExp(`^${parts.map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('[^]+?')}$`);
}
