/** T-SQL inside a system procedure or a DBCC command: it runs as the caller, in the caller's scope. */
import { SqlError, type Reply } from '../tds/handler';
import { executeSelect } from './execute-select';
import { parseBatch } from './parse-statement';
import type { SessionState, Variable } from './session-state';

/** Runs one query; its errors have the caller's line. */
export async function* runSystemText(
  session: SessionState,
  text: string,
  line: number,
  variables: ReadonlyMap<string, Variable> = new Map(),
): AsyncGenerator<Reply> {
  const [statement] = parseBatch(text, true).statements;
  if (statement?.kind !== 'query') throw new Error('a query was expected');
  const frame = { level: 0, variables: new Map(variables), tables: new Map(), status: 0 };
  try {
    yield* executeSelect(session, frame, statement.query, line);
  } catch (error) {
    if (error instanceof SqlError) error.line = line;
    throw error;
  }
}
