import { SqlError } from './handler';

/**
 * Number, severity, state and text, as sys.messages has them (Microsoft Learn, "Database Engine events and errors").
 * States are not published: they are from published messages, or the model's own.
 */
const LISTED = `
102 15 1 Incorrect syntax near '%s'.
104 16 1 ORDER BY items must appear in the select list if the statement contains a UNION, INTERSECT or EXCEPT operator.
105 15 1 Unclosed quotation mark after the character string '%s'.
108 16 1 The ORDER BY position number %s is out of range of the number of items in the select list.
109 15 1 There are more columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.
110 15 1 There are fewer columns in the INSERT statement than values specified in the VALUES clause. The number of values in the VALUES clause must match the number of columns specified in the INSERT statement.
111 15 1 'CREATE/ALTER PROCEDURE' must be the first statement in a query batch.
113 15 1 Missing end comment mark '*/'.
116 16 1 Only one expression can be specified in the select list when the subquery is not introduced with EXISTS.
119 15 1 Must pass parameter number %s and subsequent parameters %s
120 15 1 The select list for the INSERT statement contains fewer items than the insert list. The number of SELECT values must match the number of INSERT columns.
121 15 1 The select list for the INSERT statement contains more items than the insert list. The number of SELECT values must match the number of INSERT columns.
131 15 1 The size (%s) given to the type '%s' exceeds the maximum allowed (%s).
134 15 2 The variable name '%s' has already been declared. Variable names must be unique within a query batch or stored procedure.
135 15 1 Cannot use a BREAK statement outside the scope of a WHILE statement.
136 15 1 Cannot use a CONTINUE statement outside the scope of a WHILE statement.
137 15 2 Must declare the scalar variable "%s".
141 15 1 A SELECT statement that assigns a value to a variable must not be combined with data-retrieval operations.
145 15 1 ORDER BY items must appear in the select list if SELECT DISTINCT is specified.
147 15 1 An aggregate may not appear in the WHERE clause unless it is in a subquery contained in a HAVING clause or a select list, and the column being aggregated is an outer reference.
148 15 1 Incorrect time syntax in time string '%s' used with WAITFOR.
153 15 1 Invalid usage of the option TARGET_RECOVERY_TIME in the ALTER DATABASE statement.
155 15 1 '%s' is not a recognized %s option.
156 15 1 Incorrect syntax near the keyword '%s'.
164 15 1 Each GROUP BY expression must contain at least one column that is not an outer reference.
174 15 1 The %s function requires %s argument(s).
178 15 1 A RETURN statement with a return value cannot be used in this context.
179 15 1 Cannot use the OUTPUT option when passing a constant to a stored procedure.
183 15 1 The scale (%s) for column '' must be within the range 0 to %s.
189 15 1 The %s function requires %s to %s arguments.
191 15 1 Some part of your SQL statement is nested too deeply. Rewrite the query or break it up into smaller queries.
195 15 10 '%s' is not a recognized built-in function name.
201 16 4 Procedure or function '%s' expects parameter '%s', which was not supplied.
205 16 1 All queries combined using a UNION, INTERSECT or EXCEPT operator must have an equal number of expressions in their target lists.
206 16 2 Operand type clash: %s is incompatible with %s
207 16 1 Invalid column name '%s'.
208 16 1 Invalid object name '%s'.
209 16 1 Ambiguous column name '%s'.
213 16 1 Column name or number of supplied values does not match table definition.
214 16 2 Procedure expects parameter '%s' of type 'ntext/nchar/nvarchar'.
217 16 1 Maximum stored procedure, function, trigger, or view nesting level exceeded (limit %s).
220 16 1 Arithmetic overflow error for data type %s, value = %s.
226 16 6 ALTER DATABASE statement not allowed within multi-statement transaction.
229 14 5 The %s permission was denied on the object '%s', database '%s', schema '%s'.
232 16 3 Arithmetic overflow error for type %s, value = %s.
241 16 1 Conversion failed when converting date and/or time from character string.
242 16 3 The conversion of a %s data type to a %s data type resulted in an out-of-range value.
243 16 1 Type %s is not a defined system type.
244 16 1 The conversion of the %s value '%s' overflowed an %s column. Use a larger integer column.
245 16 1 Conversion failed when converting the %s value '%s' to data type %s.
248 16 1 The conversion of the %s value '%s' overflowed an int column.
257 16 3 Implicit conversion from data type %s to %s is not allowed. Use the CONVERT function to run this query.
258 15 1 Cannot call methods on %s.
262 14 1 %s permission denied in database '%s'.
263 16 1 Must specify table to select from.
266 16 2 Transaction count after EXECUTE indicates a mismatching number of BEGIN and COMMIT statements. Previous count = %s, current count = %s.
281 16 1 %s is not a valid style number when converting from %s to a character string.
295 16 3 Conversion failed when converting character string to smalldatetime data type.
297 16 1 The user does not have permission to perform this action.
300 14 1 %s permission was denied on object 'server', database 'master'.
305 16 1 The xml data type cannot be compared or sorted, except when using the IS NULL operator.
319 15 1 Incorrect syntax near the keyword 'with'. If this statement is a common table expression, an xmlnamespaces clause or a change tracking context clause, the previous statement must be terminated with a semicolon.
402 16 1 The data types %s and %s are incompatible in the %s operator.
447 16 0 Expression type %s is invalid for COLLATE clause.
448 16 1 Invalid collation '%s'.
506 16 1 The invalid escape character "%s" was specified in a LIKE predicate.
507 16 1 Invalid argument for SET ROWCOUNT. Must be a non-null non-negative integer.
512 16 1 Subquery returned more than 1 value. This is not permitted when the subquery follows =, !=, <, <= , >, >= or when the subquery is used as an expression.
515 16 2 Cannot insert the value NULL into column '%s', table '%s'; column does not allow nulls. %s fails.
517 16 1 Adding a value to a '%s' column caused an overflow.
529 16 2 Explicit conversion from data type %s to %s is not allowed.
535 16 0 The datediff function resulted in an overflow. The number of dateparts separating two date/time instances is too large. Try to use datediff with a less precise datepart.
536 16 1 Invalid length parameter passed to the right function.
537 16 3 Invalid length parameter passed to the LEFT or SUBSTRING function.
544 16 1 Cannot insert explicit value for identity column in table '%s' when IDENTITY_INSERT is set to OFF.
574 16 0 %s statement cannot be used inside a user transaction.
596 21 1 Cannot continue the execution because the session is in the kill state.
911 16 1 Database '%s' does not exist. Make sure that the name is entered correctly.
916 14 2 The server principal "%s" is not able to access the database "%s" under the current security context.
927 14 2 Database '%s' cannot be opened. It is in the middle of a restore.
942 14 4 Database '%s' cannot be opened because it is offline.
976 14 1 The target database, '%s', is participating in an availability group and is currently not accessible for queries. Either data movement is suspended or the availability replica is not enabled for read access. To allow read-only access to this and other databases in the availability group, enable read access to one or more secondary availability replicas in the group.  For more information, see the ALTER AVAILABILITY GROUP statement in SQL Server Books Online.
978 14 1 The target database ('%s') is in an availability group and is currently accessible for connections when the application intent is set to read only. For more information about application intent, see SQL Server Books Online.
983 14 1 Unable to access availability database '%s' because the database replica is not in the PRIMARY or SECONDARY role. Connections to an availability database is permitted only when the database replica is in the PRIMARY or SECONDARY role. Try the operation again later.
1001 15 1 Line %s: Length or precision specification %s is invalid.
1002 15 1 Line %s: Specified scale %s is invalid.
1007 15 1 The number '%s' is out of the range for numeric representation (maximum precision 38).
1011 16 1 The correlation name '%s' is specified multiple times in a FROM clause.
1033 15 1 The ORDER BY clause is invalid in views, inline functions, derived tables, subqueries, and common table expressions, unless TOP, OFFSET or FOR XML is also specified.
1060 15 1 The number of rows provided for a TOP or FETCH clauses row count parameter must be an integer.
1087 15 2 Must declare the table variable "%s".
2389 16 1 XQuery [value()]: 'value()' requires a singleton (or empty sequence), found operand of type 'xdt:untypedAtomic *'
2560 16 9 Parameter 1 is incorrect for this DBCC statement.
2571 14 3 User 'guest' does not have permission to run DBCC %s.
2583 16 3 An incorrect number of parameters was given to the DBCC statement.
2627 14 1 Violation of %s constraint '%s'. Cannot insert duplicate key in object 'dbo.%s'. %s
2628 16 1 String or binary data would be truncated in table '%s', column '%s'. Truncated value: '%s'.
2705 16 3 Column names in each table must be unique. Column name '%s' in table '%s' is specified more than once.
2714 16 6 There is already an object named '%s' in the database.
2741 16 1 SET DATEFORMAT date order '%s' is invalid.
2742 16 1 SET DATEFIRST %s is out of range.
2747 16 1 Too many substitution parameters for RAISERROR. Cannot exceed 20 substitution parameters.
2748 16 1 Cannot specify %s data type (parameter %s) as a substitution parameter.
2749 16 2 Identity column '%s' must be of data type int, bigint, smallint, tinyint, or decimal or numeric with a scale of 0, unencrypted, and constrained to be nonnullable.
2750 16 1 Column or parameter #1: Specified column precision %s is greater than the maximum precision of 38.
2786 16 1 The data type of substitution parameter %s does not match the expected type of the format specification.
2787 16 1 Invalid format specification: '%s'.
2812 16 62 Could not find stored procedure '%s'.
3701 11 5 Cannot drop the %s '%s', because it does not exist or you do not have permission.
3902 16 1 The COMMIT TRANSACTION request has no corresponding BEGIN TRANSACTION.
3903 16 1 The ROLLBACK TRANSACTION request has no corresponding BEGIN TRANSACTION.
3906 16 1 Failed to update database "%s" because the database is read-only.
3915 16 0 Cannot use the ROLLBACK statement within an INSERT-EXEC statement.
3916 16 0 Cannot use the COMMIT statement within an INSERT-EXEC statement unless BEGIN TRANSACTION is used first.
3930 16 1 The current transaction cannot be committed and cannot support operations that write to the log file. Roll back the transaction.
4060 11 1 Cannot open database "%s" requested by the login. The login failed.
4104 16 1 The multi-part identifier "%s" could not be bound.
4108 15 1 Windowed functions can only appear in the SELECT or ORDER BY clauses.
4112 15 1 The function '%s' must have an OVER clause with ORDER BY.
4121 16 1 Cannot find either column "%s" or the user-defined function or aggregate "%s", or the name is ambiguous.
4145 15 1 An expression of non-boolean type specified in a context where a condition is expected, near '%s'.
4151 16 1 The type of the first argument to NULLIF cannot be the NULL constant because the type of the first argument has to be known.
4194 16 1 RANGE is only supported with UNBOUNDED and CURRENT ROW window frame delimiters.
5004 16 6 To use ALTER DATABASE, the database must be in a writable state in which a checkpoint can be executed.
5011 14 9 User does not have permission to alter database '%s', the database does not exist, or the database is not in a state that allows access checks.
5052 16 1 ALTER DATABASE is not permitted while a database is in the Restoring state.
5061 16 1 ALTER DATABASE failed because a lock could not be placed on database '%s'. Try again later.
5069 16 1 ALTER DATABASE statement failed.
5308 16 1 Windowed functions, aggregates and NEXT VALUE FOR functions do not support integer indices as ORDER BY clause expressions.
5807 16 1 Recovery intervals above %s minutes not recommended. Use the RECONFIGURE WITH OVERRIDE statement to force this configuration.
5812 14 1 You do not have permission to run the RECONFIGURE statement.
6401 16 1 Cannot roll back %s. No transaction or savepoint of that name was found.
6819 16 1 The FOR XML clause is not allowed in a ASSIGNMENT statement.
8101 16 1 An explicit value for the identity column in table '%s' can only be specified when a column list is used and IDENTITY_INSERT is ON.
8102 16 1 Cannot update identity column '%s'.
8114 16 5 Error converting data type %s to %s.
8115 16 2 Arithmetic overflow error converting %s to data type %s.
8117 16 1 Operand data type %s is invalid for %s operator.
8120 16 1 Column '%s' is invalid in the select list because it is not contained in either an aggregate function or the GROUP BY clause.
8121 16 1 Column '%s' is invalid in the HAVING clause because it is not contained in either an aggregate function or the GROUP BY clause.
8127 16 1 Column "%s" is invalid in the ORDER BY clause because it is not contained in either an aggregate function or the GROUP BY clause.
8133 16 1 At least one of the result expressions in a CASE specification must be an expression other than the NULL constant.
8134 16 1 Divide by zero error encountered.
8143 16 1 Parameter '%s' was supplied multiple times.
8144 16 2 Procedure or function %s has too many arguments specified.
8145 16 2 %s is not a parameter for procedure %s.
8146 16 2 Procedure %s has no parameters and arguments were supplied.
8152 16 30 String or binary data would be truncated.
8155 16 2 No column name was specified for column %s of '%s'.
8156 16 1 The column '%s' was specified multiple times for '%s'.
8158 16 1 '%s' has more columns than were specified in the column list.
8159 16 1 '%s' has fewer columns than were specified in the column list.
8162 16 2 The formal parameter "%s" was not declared as an OUTPUT parameter, but the actual parameter passed in requested output.
8164 16 1 An INSERT EXEC statement cannot be nested.
8169 16 2 Conversion failed when converting from a character string to uniqueidentifier.
8170 16 2 Insufficient result space to convert uniqueidentifier value to char.
8172 16 1 The argument 1 of the XML data type method "%s" must be a string literal.
8178 16 1 The parameterized query '(%s)' expects the parameter '%s', which was not supplied.
9400 16 1 XML parsing: %s
9806 16 0 The datepart %s is not supported by date function %s.
9810 16 1 The datepart %s is not supported by date function %s for data type %s.
10704 15 1 To rethrow an error, a THROW statement must be used inside a CATCH block. Insert the THROW statement inside a CATCH block, or add error parameters to the THROW statement.
10709 16 1 The number of columns for each row in a table value constructor must be the same.
10738 15 1 The number of row value expressions in the INSERT statement exceeds the maximum allowed number of 1000 row values.
10756 15 1 Window frame with ROWS or RANGE must have an ORDER BY clause.
10759 15 1 Use of DISTINCT is not allowed with the OVER clause.
15003 16 1 Only members of the %s role can execute this stored procedure.
15123 16 1 The configuration option '%s' does not exist, or it may be an advanced option.
15124 16 1 The configuration option '%s' is not unique.
15129 16 1 '%s' is not a valid value for configuration option '%s'.
15151 16 1 Cannot %s the %s '%s', because it does not exist or you do not have permission.
15247 16 1 User does not have permission to perform this action.
18452 14 1 Login failed. The login is from an untrusted domain and cannot be used with Integrated authentication.
18456 14 1 Login failed for user '%s'.
25602 17 22 The target, "%s", encountered a configuration error during initialization.  Object cannot be added to the event session. %s
25623 16 1 The %s name, "%s", is invalid, or the object could not be found
25625 16 1 The %s, "%s", already exists in the event session. Object cannot be added to the event session.
25626 16 1 The %s, "%s", was specified multiple times.
25629 16 1 For target, "%s", the customizable attribute, "%s", does not exist.
25631 16 1 The event session, "%s", already exists.  Choose a unique name for the event session.
25632 16 29 The specified buffer size is less than the minimum size. The minimum allowed size is %s bytes.
25642 16 0 Mandatory customizable attributes are missing for target, "%s".
25651 16 1 For target, "%s", the value specified for customizable attribute, "%s", did not match the expected type, "%s".
25653 16 1 The %s, "%s", does not exist in the event session. Object cannot be dropped from the event session.
25701 15 1 Invalid event session name "%s". Temporary event sessions are not allowed.
25702 16 1 The event session option, "%s", is set more than once. Remove the duplicate session option and re-issue the statement.
25704 16 1 The event session has already been stopped.
25705 16 1 The event session has already been started.
25706 16 8 The event attribute or predicate source, "%s", could not be found.
25708 16 1 The "%s" specified exceeds the maximum allowed value. Specify a smaller configuration value.
25713 16 1 The value specified for event attribute or predicate source, "%s", event, "%s", is invalid.
25716 16 1 The predicate on event, "%s", exceeds the maximum length of 3000 characters.
25717 16 1 The operating system returned error 2: 'The system cannot find the file specified.' while reading from the file '%s'.
25718 16 3 The log file name "%s" is invalid.  Verify that the file exists and that the SQL Server service account has access to it.
25719 16 1 Initial file name and initial offset must be specified as a pair. Please correct the parameters and retry your query.
25721 16 1 The metadata file name "%s" is invalid. Verify that the file exists and that the SQL Server service account has access to it.
25722 16 1 The offset %s is invalid for log file "%s".  Specify an offset that exists in the log file and retry your query.
25737 16 1 Database scoped extended event sessions are not available in server scope or system databases in Azure DB.
25744 16 1 The action '%s' is not available for Azure SQL Database.
27219 16 1 Caller does not have permissions to execute the stored procedure.
35100 16 10 Error number %s in the THROW statement is outside the valid range. Specify an error number in the valid range of 50000 to 2147483647.
40508 16 1 USE statement is not supported to switch between databases. Use a new connection to connect to a different database.
40515 16 1 Reference to database and/or server name in '%s' is not supported in this version of SQL Server.
40538 16 3 A valid URL beginning with 'https://' is required as value for any filepath specified.
41113 16 1 Cannot failover availability group '%s' to this instance of SQL Server because a failover command is already pending on the local replica of this availability group. Wait for the pending failover command to complete before issuing another command on the local replica of this availability group.
41122 16 1 Cannot failover availability group '%s' to this instance of SQL Server. The local availability replica is already the primary replica of the availability group. To failover this availability group to another instance of SQL Server, run the failover command on that instance of SQL Server. If local instance of SQL Server is intended to host the primary replica of the availability group, then no action is required.
41142 16 1 The availability replica for availability group '%s' on this instance of SQL Server cannot become the primary replica. One or more databases are not synchronized or have not joined the availability group. If the availability replica uses the asynchronous-commit mode, consider performing a forced manual failover (with possible data loss). Otherwise, once all local secondary databases are joined and synchronized, you can perform a planned manual failover to this secondary replica (without data loss). For more information, see SQL Server Books Online.
`;

const MESSAGES: ReadonlyMap<number, readonly [severity: number, state: number, text: string]> = new Map(
  LISTED.trim()
    .split('\n')
    .map((line) => /^(\d+) (\d+) (\d+) (.*)$/.exec(line) as RegExpExecArray)
    .map(([, number, severity, state, text = '']) => [
      Number(number),
      [Number(severity), Number(state), text],
    ]),
);

/**
 * SQL Server's error of that number. `values` stand in place of each %s; `state` is another one than the usual.
 * @throws RangeError for a number that is not listed, and for another count of values
 */
export function sqlError(
  number: number,
  values: readonly unknown[] = [],
  line = 1,
  { state, procedure }: { readonly state?: number; readonly procedure?: string } = {},
): SqlError {
  const [severity, usualState, text] = MESSAGES.get(number) ?? [];
  const parts = text?.split('%s');
  if (parts?.length !== values.length + 1)
    throw new RangeError(`message ${number} does not take ${values.length} values`);
  return new SqlError(
    number,
    parts.reduce((before, after, i) => `${before}${String(values[i - 1])}${after}`),
    severity,
    state ?? usualState,
    line,
    procedure,
  );
}

/** The simulator's own error, for what SQL Server has and the model has not: refused by name, never guessed. */
export const notModelled = (what: string, line = 1): SqlError =>
  new SqlError(50_000, `simulator: ${what} is not modelled`, 16, 1, line);
