/** Calls of scalar functions, through one table. Functions not in it are refused by name. */
import { isAggregate } from './bind-aggregate';
import type { Binding } from './binding';
import { bindExpression } from './bind-expression';
import { nullLiteral, type Bound } from './bound';
import { argumentCount, argumentRange, notModelled, unknownMethod } from './errors';
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

/** @throws SqlError 4121 for a function of a schema, 50000 for one of SQL Server's that is not modelled. */
export function checkFunction(call: Call): void {
  const name = functionName(call);
  if (call.name.length > 1) throw unknownOrNotModelled(call);
  const found = functions.get(name);
  if (found !== undefined && !call.star) checkCount(call, name, found);
  if (found !== undefined || isAggregate(call) || windowFunctions.has(name)) return;
  throw notModelled(`function ${name}`, call.line);
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
  if (found === undefined || call.star || call.distinct || call.withinGroup !== undefined)
    throw notModelled(`function ${name}`, line);
  checkCount(call, name, found);
  const args = call.args.map((arg) => (arg.kind === 'word' ? nullLiteral : bindExpression(arg, binding)));
  return found.bind({ name, args, expressions: call.args, line, binding });
}
