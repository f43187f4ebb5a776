/** Remote procedure calls: sp_executesql and the sp_prepare family, as drivers send them. Any other name runs like EXEC. */
import type { SqlError, Parameter, Reply, SqlType } from '../tds/handler';
import { callProcedure, runDynamic, type Call as Called } from './execute-procedure';
import { makeFrame } from './interpreter';
import { bindParameters, handBack, type PassedArgument } from './parameters';
import { parseParameters } from './parse-parameters';
import type { SessionState } from './session-state';
import { fromSqlValue, toSqlValue } from './sql-value';
import { int, type Value } from './types';
import { sqlError } from '../tds/messages';

interface Call {
  readonly args: readonly PassedArgument[];
  /** The values of OUTPUT parameters, in order. */
  readonly outputs: Reply[];
}

function receive(parameters: readonly Parameter[]): Call {
  const outputs: Reply[] = [];
  const args = parameters.map((parameter): PassedArgument => {
    const value = fromSqlValue(parameter.value, parameter.type);
    const base = { name: parameter.name, type: parameter.type, value, isDefault: false };
    if (!parameter.output) return base;
    return {
      ...base,
      output: (each: Value, type: SqlType) => outputs.push({ kind: 'output', name: parameter.name, type, value: toSqlValue(each, type) }),
    };
  });
  return { args, outputs };
}

export async function* callRemotely(session: SessionState, procedure: string, parameters: readonly Parameter[]): AsyncGenerator<Reply> {
  const { args, outputs } = receive(parameters);
  const called: Called = { status: 0 };
  const name = (procedure.split('.').pop() ?? '').toLowerCase();
  if (name === 'sp_prepare') prepare(session, args);
  else if (name === 'sp_execute') yield* executePrepared(session, args);
  else if (name === 'sp_prepexec') yield* executePrepared(session, [prepare(session, args), ...args.slice(3)]);
  else if (name === 'sp_unprepare') session.prepared.delete(Number(args[0]?.value ?? 0));
  else yield* callProcedure(session, procedure, args, 0, 1, called);
  yield* outputs;
  yield { kind: 'status', value: called.status };
}

/** Arguments: handle OUTPUT, parameters, text. */
function prepare(session: SessionState, args: readonly PassedArgument[]): PassedArgument {
  const [handle, definition, text] = args;
  session.preparedCount++;
  const id = session.preparedCount;
  session.prepared.set(id, { text: String(text?.value ?? ''), parameters: String(definition?.value ?? '') });
  handle?.output?.(id, int);
  return { name: '', type: int, value: id, isDefault: false };
}

async function* executePrepared(session: SessionState, [handle, ...values]: readonly PassedArgument[]): AsyncGenerator<Reply> {
  const prepared = session.prepared.get(Number(handle?.value ?? 0));
  if (prepared === undefined) throw sqlError(8179, [String(handle?.value ?? '')]);
  const frame = makeFrame(1);
  const missing = (name: string): SqlError => sqlError(8178, [prepared.parameters, name]);
  const outputs = await bindParameters(session, frame, parseParameters(prepared.parameters), values, {
    name: 'sp_execute',
    missing,
    line: 1,
  });
  yield* runDynamic(session, prepared.text, frame, 1, 1);
  handBack(frame, outputs);
}
