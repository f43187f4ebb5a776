/** Statements about availability groups, and what a failover does to sessions. */
import { notModelled } from './errors';
import type { SessionState } from './session-state';
import type { Statement } from './statements';
import { sqlError } from '../tds/messages';

type Of<K extends Statement['kind']> = Extract<Statement, { readonly kind: K }>;

export async function executeAvailability(session: SessionState, statement: Of<'failover' | 'dataMovement'>): Promise<void> {
  if (statement.kind === 'failover') await executeFailover(session, statement);
  else executeDataMovement(session, statement);
}

async function executeFailover(session: SessionState, { group, force, line }: Of<'failover'>): Promise<void> {
  if (session.transactions > 0) throw sqlError(574, ['ALTER AVAILABILITY GROUP'], line);
  const { availability } = session.host.instance;
  if (availability === undefined) throw notModelled('ALTER AVAILABILITY GROUP', line);
  await availability.failOver(group, force, session.principal(), session.signal);
}

function executeDataMovement(session: SessionState, { database, action, line }: Of<'dataMovement'>): void {
  const { availability } = session.host.instance;
  if (availability === undefined) throw notModelled('ALTER DATABASE ... SET HADR', line);
  availability.moveData(database ?? session.database, action, session.principal());
}

/**
 * If a database changes its role in an availability group, the connections in it end. The session notices with its next statement, as a client of SQL Server
 * does with its next request.
 * @throws SqlError 596, which ends the connection
 */
export function requireConnection(session: SessionState): void {
  const era = session.host.instance.availability?.connectionEra(session.database) ?? 0;
  session.era ??= { database: session.database, value: era };
  if (session.era.database !== session.database) session.era = { database: session.database, value: era };
  if (session.era.value !== era) throw sqlError(596);
}
