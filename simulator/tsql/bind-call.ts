/** Calls of scalar functions, through one table. Functions not in it are refused by name. */
import { isAggregate } from './bind-aggregate';
import type { Binding } from './binding';
import { bindExpression } from './bind-expression';
import { nullLiteral, type Bound } from './bound';
import { argumentCount, argumentRange, notModelled, unknownFunction, unknownMethod } from './errors';
import { clockFunctions } from './functions/clock';
import { dateFunctions } from './functions/dates';
import { nameFunctions } from './functions/names';
import type { FunctionRule } from './functions/rule';
import { serverFunctions } from './functions/server';
import { stringFunctions } from './functions/strings';
import type { Call } from './syntax';
import { wordSet } from './word-set';

const functions: ReadonlyMap<string, FunctionRule> = new Map(
  [stringFunctions, nameFunctions, dateFunctions, clockFunctions, serverFunctions].flatMap((table) =>
    Object.entries(table),
  ),
);

/** Functions that SQL Server has and this table does not. */
const known =
  wordSet(`BINARY_CHECKSUM CHECKSUM CERT_ID COLLATIONPROPERTY COLUMNPROPERTY COMPRESS CURSOR_STATUS
  DATABASEPROPERTY DATABASE_PRINCIPAL_ID DATE_BUCKET DECOMPRESS DEGREES DIFFERENCE FILEGROUP_ID
  FILEGROUP_NAME FILEGROUPPROPERTY FILE_ID FILE_IDEX FILEPROPERTY FULLTEXTSERVICEPROPERTY GET_FILESTREAM_TRANSACTION_CONTEXT GETANSINULL HOST_ID
  IDENT_CURRENT IDENT_INCR IDENT_SEED IDENTITY INDEX_COL INDEXPROPERTY INDEXKEY_PROPERTY ISJSON IS_MEMBER IS_ROLEMEMBER JSON_ARRAY JSON_MODIFY JSON_OBJECT JSON_QUERY JSON_VALUE
  LOGINPROPERTY MIN_ACTIVE_ROWVERSION NEWSEQUENTIALID OBJECT_DEFINITION OBJECTPROPERTY OBJECTPROPERTYEX PARSE PERMISSIONS PWDCOMPARE
  PWDENCRYPT RADIANS RAND ROWCOUNT_BIG SCOPE_IDENTITY SESSION_CONTEXT SOUNDEX STATS_DATE
  DATETIME2FROMPARTS DATETIMEFROMPARTS DATETIMEOFFSETFROMPARTS DATETRUNC SMALLDATETIMEFROMPARTS TIMEFROMPARTS BIT_COUNT FORMAT GET_BIT GREATEST LEAST
  ACOS ASIN ATAN ATN2 COS COT SIN TAN SWITCHOFFSET TODATETIMEOFFSET
  GROUPING GROUPING_ID LEFT_SHIFT RIGHT_SHIFT SET_BIT STRING_ESCAPE TRANSLATE
  ABS ASCII CEILING CHOOSE COL_LENGTH COL_NAME CONCAT_WS CONTEXT_INFO DATEDIFF_BIG DATEFROMPARTS DATENAME DAY EOMONTH EXP FILE_NAME FLOOR FORMATMESSAGE
  HASHBYTES ISNUMERIC LOG LOG10 MONTH NEWID PARSENAME PATINDEX PI POWER ROUND SIGN SQL_VARIANT_PROPERTY SQRT SQUARE STUFF TRIM TYPE_ID TYPE_NAME UNICODE YEAR
  APP_NAME CHAR COALESCE CURRENT_USER HOST_NAME OBJECT_NAME OBJECT_SCHEMA_NAME ORIGINAL_LOGIN SCHEMA_ID SCHEMA_NAME SESSION_USER SUSER_ID SUSER_NAME SUSER_SID
  SESSIONPROPERTY CONNECTIONPROPERTY STRING_AGG SYSTEM_USER USER USER_NAME TERTIARY_WEIGHTS TEXTPTR TEXTVALID TRIGGER_NESTLEVEL TRY_PARSE TYPEPROPERTY USER_ID CURRENT_TRANSACTION_ID`);

/** @throws SqlError 195, 4121 for an unknown function, 50000 for one that is not modelled. */
export function checkFunction(call: Call): void {
  const name = functionName(call);
  if (call.name.length > 1) throw unknownOrNotModelled(call);
  const found = functions.get(name);
  if (found !== undefined && !call.star) checkCount(call, name, found);
  if (found !== undefined || isAggregate(call) || windowFunctions.has(name)) return;
  throw known.has(name)
    ? notModelled(`function ${name}`, call.line)
    : unknownFunction(call.name.join('.'), call.line);
}

/** @throws SqlError 174, 189. */
function checkCount(
  { args, line }: Call,
  name: string,
  { min, max }: { readonly min: number; readonly max: number },
): void {
  if (args.length >= min && args.length <= max) return;
  throw min === max ? argumentCount(name, String(min), line) : argumentRange(name, min, max, line);
}

const functionName = ({ name }: Call): string => (name[name.length - 1] as string).toUpperCase();

/**
 * The first release of aggregates and of functions that are not modelled (Microsoft documentation, "What's new" of
 * each).
 */
const laterFunctions = {
  2016: wordSet(`COMPRESS DATEDIFF_BIG DECOMPRESS ISJSON JSON_MODIFY JSON_QUERY JSON_VALUE SESSION_CONTEXT
    STRING_ESCAPE`),
  2017: wordSet('CONCAT_WS TRANSLATE TRIM STRING_AGG'),
  2019: wordSet('APPROX_COUNT_DISTINCT'),
  2022: wordSet(`DATE_BUCKET DATETRUNC BIT_COUNT GET_BIT SET_BIT LEFT_SHIFT RIGHT_SHIFT GREATEST LEAST JSON_ARRAY
    JSON_OBJECT APPROX_PERCENTILE_CONT APPROX_PERCENTILE_DISC`),
};

/** SQL Server's own functions that have a schema. */
const shipped =
  /^(msdb\.dbo\.agent_datetime|(msdb\.)?dbo\.(agent_datetime|fn_syspolicy_is_automation_enabled|sysmail_help_status)|sys\.fn_[a-z_]+|(master\.)?(sys|dbo)\.fn_(varbintohexstr|varbintohexsubstring|hadr_[a-z_]+|[a-z_]+lsn[a-z_]*))$/i;

function unknownOrNotModelled(call: Call): Error {
  const name = call.name.join('.');
  return shipped.test(name) ? notModelled(`function ${name}`, call.line) : unknownMethod(name, call.line);
}

/** 0 if every modelled release has it. */
export function firstRelease(written: string): number {
  const name = written.toUpperCase();
  const later = Object.entries(laterFunctions).find(([, names]) => names.has(name));
  return functions.get(name)?.since ?? Number(later?.[0] ?? 0);
}

const windowFunctions = wordSet(`ROW_NUMBER RANK DENSE_RANK NTILE PERCENT_RANK CUME_DIST LAG LEAD FIRST_VALUE
  LAST_VALUE PERCENTILE_DISC PERCENTILE_CONT`);

export function bindCall(call: Call, binding: Binding): Bound {
  const name = functionName(call);
  const { line } = call;
  const found = functions.get(name);
  if (call.name.length > 1) throw unknownOrNotModelled(call);
  if (found === undefined || call.star || call.distinct || call.withinGroup !== undefined) {
    if (known.has(name)) throw notModelled(`function ${name}`, line);
    throw unknownFunction(call.name.join('.'), line);
  }
  checkCount(call, name, found);
  const args = call.args.map((arg) => (arg.kind === 'word' ? nullLiteral : bindExpression(arg, binding)));
  return found.bind({ name, args, expressions: call.args, line, binding });
}
