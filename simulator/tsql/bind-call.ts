/** Calls of scalar functions, through one table; what is not in it is refused by name. */
import { isAggregate } from './bind-aggregate';
import type { Binding } from './binding';
import { bindExpression } from './bind-expression';
import { nullLiteral, type Bound } from './bound';
import { argumentCount, notModelled, unknownFunction, unknownMethod } from './errors';
import { clockFunctions } from './functions/clock';
import { dateFunctions } from './functions/dates';
import { nameFunctions } from './functions/names';
import { numberFunctions } from './functions/numbers';
import type { FunctionRule } from './functions/rule';
import { serverFunctions } from './functions/server';
import { stringFunctions } from './functions/strings';
import type { Call } from './syntax';

const functions: ReadonlyMap<string, FunctionRule> = new Map(
  [stringFunctions, nameFunctions, numberFunctions, dateFunctions, clockFunctions, serverFunctions].flatMap((table) =>
    Object.entries(table),
  ),
);

/** What SQL Server has and this table has not. */
const known = new Set(
  (
    'ACOS ASIN ATAN ATN2 BINARY_CHECKSUM CHECKSUM CERT_ID COL_LENGTH COL_NAME COLLATIONPROPERTY COLUMNPROPERTY COMPRESS COS COT CURSOR_STATUS ' +
    'DATABASEPROPERTY DATABASE_PRINCIPAL_ID DATETIME2FROMPARTS DATETIMEFROMPARTS DATETIMEOFFSETFROMPARTS DATETRUNC DATE_BUCKET DECOMPRESS DEGREES DIFFERENCE FILEGROUP_ID ' +
    'FILEGROUP_NAME FILEGROUPPROPERTY FILE_ID FILE_IDEX FILE_NAME FILEPROPERTY FORMAT FULLTEXTSERVICEPROPERTY GET_FILESTREAM_TRANSACTION_CONTEXT GETANSINULL HOST_ID ' +
    'IDENT_CURRENT IDENT_INCR IDENT_SEED IDENTITY INDEX_COL INDEXPROPERTY INDEXKEY_PROPERTY ISJSON IS_MEMBER IS_ROLEMEMBER JSON_ARRAY JSON_MODIFY JSON_OBJECT JSON_QUERY JSON_VALUE ' +
    'LOGINPROPERTY MIN_ACTIVE_ROWVERSION NEWSEQUENTIALID OBJECT_DEFINITION OBJECT_NAME OBJECT_SCHEMA_NAME OBJECTPROPERTY OBJECTPROPERTYEX PARSE PATINDEX PERMISSIONS PWDCOMPARE ' +
    'PWDENCRYPT RADIANS RAND ROWCOUNT_BIG SCHEMA_ID SCOPE_IDENTITY SESSION_CONTEXT SIN SMALLDATETIMEFROMPARTS SOUNDEX SQL_VARIANT_PROPERTY STATS_DATE STRING_ESCAPE SUSER_ID ' +
    'SUSER_SID TAN TERTIARY_WEIGHTS TEXTPTR TEXTVALID TIMEFROMPARTS TRANSLATE TRIGGER_NESTLEVEL TRY_PARSE TYPE_ID TYPE_NAME TYPEPROPERTY USER_ID CURRENT_TRANSACTION_ID'
  ).split(' '),
);

/** @throws SqlError 195, 4121, 50000 for a function that is not known, or not modelled. */
export function checkFunction(call: Call): void {
  const name = (call.name[call.name.length - 1] as string).toUpperCase();
  if (call.name.length > 1) throw unknownMethod(call.name.join('.'), call.line);
  if (functions.has(name) || isAggregate(call) || windowFunctions.has(name)) return;
  throw known.has(name) ? notModelled(`function ${name}`, call.line) : unknownFunction(call.name.join('.'), call.line);
}

const windowFunctions = new Set(
  'ROW_NUMBER RANK DENSE_RANK NTILE PERCENT_RANK CUME_DIST LAG LEAD FIRST_VALUE LAST_VALUE PERCENTILE_DISC PERCENTILE_CONT'.split(' '),
);

export function bindCall(call: Call, binding: Binding): Bound {
  const name = (call.name[call.name.length - 1] as string).toUpperCase();
  const { line } = call;
  if (call.name.length > 1) throw unknownMethod(call.name.join('.'), line);
  const found = functions.get(name);
  if (found === undefined || call.star || call.distinct || call.withinGroup !== undefined) {
    if (known.has(name)) throw notModelled(`function ${name}`, line);
    throw unknownFunction(call.name.join('.'), line);
  }
  if (call.args.length < found.min || call.args.length > found.max)
    throw argumentCount(name, found.min === found.max ? String(found.min) : `${found.min} to ${found.max}`, line);
  const args = call.args.map((arg) => (arg.kind === 'word' ? nullLiteral : bindExpression(arg, binding)));
  return found.bind({ name, args, expressions: call.args, line, binding });
}
