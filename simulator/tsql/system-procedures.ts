/** SQL Server's own procedures that a session may call: each runs, or is refused by name. */
import type { Reply } from '../tds/handler';
import { configure } from './configure';
import { notModelled } from './errors';
import { readErrorLog } from './error-log';
import { cycleErrorLog, listErrorLogs } from './error-log-files';
import type { PassedArgument } from './parameters';
import type { SessionState } from './session-state';

export interface ProcedureCall {
  readonly session: SessionState;
  /** As called, in lower case. */
  readonly name: string;
  readonly args: readonly PassedArgument[];
  readonly level: number;
  readonly line: number;
}

/** Replies, then the return value. */
type SystemProcedure = (call: ProcedureCall) => AsyncGenerator<Reply, number>;

const procedures: Readonly<Record<string, SystemProcedure>> = {
  sp_configure: configure,
  sp_readerrorlog: readErrorLog,
  xp_readerrorlog: readErrorLog,
  rds_read_error_log: readErrorLog,
  sp_enumerrorlogs: listErrorLogs,
  xp_enumerrorlogs: listErrorLogs,
  sp_cycle_errorlog: cycleErrorLog,
};

/** @throws SqlError 50000 for another procedure by a name that only SQL Server's own have. */
export function findSystemProcedure(name: string, line: number): SystemProcedure | undefined {
  const key = name.toLowerCase();
  const found = Object.prototype.hasOwnProperty.call(procedures, key) ? procedures[key] : undefined;
  if (found === undefined && /^(sp|xp|sysmail)_/.test(key)) throw notModelled(`procedure ${key}`, line);
  return found;
}
