import { type Readings, readAvailabilityRoles, readDatabaseFacts, readServerFacts, readServerState } from '../core/advice/fact-rows';
import {
  type AvailabilityRole,
  type Facts,
  notObservable,
  nothingMoreRead,
  type Observed,
  observed,
  type ServerFacts,
  type ServerState,
} from '../core/advice/facts';
import type { RowProblem } from '../core/rows';
import { fillTemplate } from '../core/script/template';
import { ConnectionError } from '../hosts/host';
import { readTemplates } from '../texts';
import type { ServerQuery } from './server-query';

export interface FactsReading {
  readonly facts: Facts;
  /** Rows that could not be read, beside those that could. */
  readonly problems: readonly RowProblem[];
}

/** Reads everything the pane shows about a server. What this login may not see is not observable; the rest is still read. @throws ConnectionError */
export async function readFacts(query: ServerQuery): Promise<FactsReading> {
  const problems: RowProblem[] = [];
  const keep = <T>(readings: Readings<T>): readonly T[] => {
    problems.push(...readings.problems);
    return readings.values;
  };
  const server = keep(readServerFacts(await query.run(fillTemplate(readTemplates.serverFacts, {}))))[0];
  if (server === undefined) throw new ConnectionError('queryFailed', problems[0]?.message ?? 'The server did not say who it is.');
  const databases = keep(readDatabaseFacts(await query.run(fillTemplate(readTemplates.databaseFacts, {}))));
  const state = await readState(query, keep);
  const roles = await readRoles(query, server, keep);
  return { facts: { server, databases, state, roles, ...nothingMoreRead }, problems };
}

type Keep = <T>(readings: Readings<T>) => readonly T[];

async function readState(query: ServerQuery, keep: Keep): Promise<Observed<ServerState>> {
  return observe(async () => {
    const state = keep(readServerState(await query.run(fillTemplate(readTemplates.serverState, {}))))[0];
    if (state === undefined) throw new ConnectionError('queryFailed', 'the row of server-state could not be read');
    return state;
  });
}

async function readRoles(query: ServerQuery, server: ServerFacts, keep: Keep): Promise<Observed<ReadonlyMap<number, AvailabilityRole>>> {
  if (!server.isHadrEnabled) return observed(new Map());
  return observe(async () => {
    const roles = keep(readAvailabilityRoles(await query.run(fillTemplate(readTemplates.availabilityRoles, {}))));
    return new Map(roles.map((role) => [role.databaseId, role]));
  });
}

/** A refusal by the server is an answer: not observable, with its reason. A lost connection is not. */
async function observe<T>(read: () => Promise<T>): Promise<Observed<T>> {
  try {
    return observed(await read());
  } catch (error) {
    if (error instanceof ConnectionError && (error.reason === 'permissionDenied' || error.reason === 'queryFailed'))
      return notObservable(error.message);
    throw error;
  }
}
