/** CREATE, DROP and EXEC of #temporary procedures. */
import type { SqlError } from '../tds/handler';
import { cannotDrop } from './errors';
import type { Call } from './execute-procedure';
import { makeFrame, runFrame, type Execution } from './interpreter';
import { runNested } from './nested-scope';
import { bindParameters, handBack, type PassedArgument } from './parameters';
import type { SessionState } from './session-state';
import type { TemporaryProcedure, Statement } from './statements';
import { sqlError } from '../tds/messages';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

/** @throws SqlError 2714 for a name in use. */
export function createProcedure(
  session: SessionState,
  { procedure, replaces, line }: Of<'createProcedure'>,
): void {
  if (
    session.temporary.hasOwn(procedure.name) &&
    !(replaces && session.temporary.procedure(procedure.name) !== undefined)
  )
    throw sqlError(2714, [procedure.name], line, { state: 3, procedure: procedure.name });
  session.temporary.addProcedure(procedure);
}

/** @throws SqlError 3701; also for permanent procedures, because none can be dropped. */
export function dropProcedure(session: SessionState, { names, ifExists, line }: Of<'dropProcedure'>): void {
  for (const parts of names) {
    const name = parts[parts.length - 1] as string;
    if (!session.temporary.removeProcedure(name) && !ifExists)
      throw cannotDrop('procedure', parts.join('.'), line);
  }
}

export async function* runTemporaryProcedure(
  session: SessionState,
  procedure: TemporaryProcedure,
  args: readonly PassedArgument[],
  level: number,
  line: number,
  call: Call,
): Execution {
  const { name, parameters, body } = procedure;
  const frame = makeFrame(level + 1, name);
  const missing = (parameter: string): SqlError => sqlError(201, [name, parameter], 0, { procedure: name });
  const outputs = await bindParameters(session, frame, parameters, args, { name, missing, line });
  const flow = yield* runNested(session, 1, () => runFrame(session, body, frame), line);
  call.status = frame.status;
  handBack(frame, outputs);
  return flow;
}
