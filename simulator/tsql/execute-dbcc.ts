/** DBCC TRACEON, TRACEOFF and TRACESTATUS. */
import type { SqlError, Reply, SqlColumn, SqlMessage } from '../tds/handler';
import { notModelled } from './errors';
import type { SessionState } from './session-state';
import type { Statement } from './statements';
import { sqlError } from '../tds/messages';

type Dbcc = Extract<Statement, { readonly kind: 'dbcc' }>;

export async function* executeDbcc(session: SessionState, statement: Dbcc): AsyncGenerator<Reply> {
  const { command, silent, line } = statement;
  const { settings } = session.host.instance;
  if (command === 'TRACESTATUS') yield* showTraceFlags(session, statement);
  else {
    const [flags, isGlobal] = flagsOf(statement);
    if (flags.length === 0) throw wrongArguments(line);
    const turn = command === 'TRACEON' ? settings.turnTraceFlagsOn : settings.turnTraceFlagsOff;
    turn.call(settings, flags, isGlobal ? 'global' : 'session', session.principal());
  }
  if (silent) return;
  const text = 'DBCC execution completed. If DBCC printed error messages, contact your system administrator.';
  yield { kind: 'info', message: message(2528, text, line) };
}

/** Its severity 10 reaches clients as 0. */
const message = (number: number, text: string, line: number): SqlMessage => ({
  number,
  state: 1,
  severity: 0,
  message: text,
  line,
});

const wrongArguments = (line: number): SqlError => sqlError(2583, [], line);

/** The flags, and whether -1 was among them. */
function flagsOf({ args, command, line }: Dbcc): readonly [flags: readonly number[], isGlobal: boolean] {
  const numbers = args.map((arg) => {
    if (typeof arg === 'number') return arg;
    throw sqlError(2560, [], line);
  });
  const flags = numbers.filter((each) => each !== -1);
  if (flags.some((each) => each <= 0 || each > 32767))
    throw notModelled(`DBCC ${command} of such a trace flag`, line);
  return [flags, numbers.includes(-1)];
}

const smallint = (name: string): SqlColumn => ({ name, type: { name: 'smallint' }, nullable: true });

/** Without flags: all that are on, and no result set if there are none. A named flag always has a row, on or off. */
async function* showTraceFlags(session: SessionState, statement: Dbcc): AsyncGenerator<Reply> {
  const [flags] = flagsOf(statement);
  const on = session.host.instance.settings.traceFlags(session.principal());
  const shown =
    flags.length === 0
      ? on
      : flags.map(
          (flag) => on.find((each) => each.flag === flag) ?? { flag, isGlobal: false, isSession: false },
        );
  session.rowCount = shown.length;
  if (shown.length === 0) return;
  yield { kind: 'columns', columns: ['TraceFlag', 'Status', 'Global', 'Session'].map(smallint) };
  const bit = (state: boolean): number => (state ? 1 : 0);
  yield {
    kind: 'rows',
    rows: shown.map(({ flag, isGlobal, isSession }) => [
      flag,
      bit(isGlobal || isSession),
      bit(isGlobal),
      bit(isSession),
    ]),
  };
  yield session.options.noCount ? { kind: 'done' } : { kind: 'done', rowCount: shown.length };
}
