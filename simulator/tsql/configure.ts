/** sp_configure and RECONFIGURE (Microsoft Learn, "sp_configure (Transact-SQL)"). */
import type { Configuration } from '../engine/interface/instance';
import type { Reply, SqlColumn } from '../tds/handler';
import { convertValue } from './convert';
import { notModelled } from './errors';
import { argumentOf } from './parameters';
import type { SessionState } from './session-state';
import type { ProcedureCall } from './system-procedures';
import { int, nvarchar } from './types';
import { sqlError } from '../tds/messages';

const advancedShown = 518;

const columns: readonly SqlColumn[] = [
  { name: 'name', type: nvarchar(35), nullable: false },
  ...['minimum', 'maximum', 'config_value', 'run_value'].map((name): SqlColumn => ({
    name,
    type: int,
    nullable: true,
  })),
];

/**
 * Shows all options or one, or sets one; a unique part of its name is enough.
 * @throws SqlError 15123, 15124, 15129, 15247.
 */
export async function* configure(call: ProcedureCall): AsyncGenerator<Reply, number> {
  const { session, line } = call;
  refuseAzure(session, 'procedure sp_configure', line);
  const { settings } = session.host.instance;
  const all = settings.configurations();
  const isShown = all.some((each) => each.id === advancedShown && each.valueInUse === 1);
  const visible = all.filter((each) => isShown || !each.isAdvanced);
  const name = argumentOf(call, 0, '@configname');
  const value = argumentOf(call, 1, '@configvalue');
  if (name === undefined || name.value === null) return yield* show(session, visible);
  const option = findOption(visible, all, String(name.value), line);
  if (value === undefined || value.value === null) return yield* show(session, [option]);
  const text = settings.setConfiguration(
    option.id,
    Number(convertValue(value.value, value.type, int)),
    session.principal(),
  );
  yield {
    kind: 'info',
    message: { number: 15457, state: 1, severity: 0, message: text, line, procedure: 'sp_configure' },
  };
  return 0;
}

function findOption(
  visible: readonly Configuration[],
  all: readonly Configuration[],
  written: string,
  line: number,
): Configuration {
  const wanted = written.toLowerCase().trimEnd();
  const holds = ({ name }: Configuration): boolean => name.toLowerCase().includes(wanted);
  const [only, ...others] = visible.filter(holds);
  const exact = visible.find((each) => each.name.toLowerCase() === wanted);
  if (exact !== undefined) return exact;
  if (only === undefined && !all.some(holds)) throw notModelled(`configuration option ${written}`, line);
  if (only === undefined || others.length > 0)
    throw sqlError(only === undefined ? 15123 : 15124, [written], line, { procedure: 'sp_configure' });
  return only;
}

async function* show(
  session: SessionState,
  options: readonly Configuration[],
): AsyncGenerator<Reply, number> {
  const sorted = [...options].sort((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1));
  yield { kind: 'columns', columns };
  yield {
    kind: 'rows',
    rows: sorted.map(({ name, minimum, maximum, value, valueInUse }) => [
      name,
      minimum,
      maximum,
      value,
      valueInUse,
    ]),
  };
  session.rowCount = sorted.length;
  yield session.options.noCount ? { kind: 'done' } : { kind: 'done', rowCount: sorted.length };
  return 0;
}

/** @throws SqlError 574, and the server's own: 5807, 5812. */
export function reconfigure(session: SessionState, withOverride: boolean, line: number): void {
  refuseAzure(session, 'RECONFIGURE', line);
  if (session.transactions > 0 || session.options.implicitTransactions) throw sqlError(574, ['CONFIG'], line);
  session.host.instance.settings.reconfigure(withOverride, session.principal());
}

function refuseAzure(session: SessionState, what: string, line: number): void {
  if (session.host.instance.platform === 'azure-sql-database')
    throw notModelled(`${what} in Azure SQL Database`, line);
}
