/** Facts of a server as its last run left them in the lake. What a run does not keep is not observable here. */
import {
  type AvailabilityRole,
  type DatabaseFacts,
  type Facts,
  notObservable,
  nothingMoreRead,
  observed,
  type ServerFacts,
} from '../../../src/core/advice/facts';
import type { FactValue, KnownFacts } from '../collect/server-state';

const NOT_KEPT = 'it is not kept in the lake';

/** By name of the fact. */
type Values = Map<string, FactValue>;

/** null if the server was never read. */
export function restoreFacts(known: KnownFacts, readUtcMs: number, utcOffsetMinutes: number): Facts | null {
  const ofServer: Values = new Map();
  const ofDatabases = new Map<string, { readonly databaseId: number; readonly name: string; readonly values: Values }>();
  for (const [key, value] of Object.entries(known)) {
    const [databaseId, name, fact] = JSON.parse(key) as [number | null, string | null, string];
    if (databaseId === null) {
      ofServer.set(fact, value);
      continue;
    }
    const id = JSON.stringify([databaseId, name]);
    const database = ofDatabases.get(id) ?? { databaseId, name: name ?? '', values: new Map() };
    ofDatabases.set(id, database);
    database.values.set(fact, value);
  }
  const server = restoreServer(ofServer, readUtcMs, utcOffsetMinutes);
  if (server === null) return null;
  const flags = ofServer.get('trace_flags');
  return {
    ...nothingMoreRead,
    server,
    state: notObservable(NOT_KEPT),
    databases: [...ofDatabases.values()].map(({ databaseId, name, values }) => restoreDatabase(databaseId, name, values)),
    roles: restoreRoles([...ofDatabases.values()]),
    traceFlags:
      flags?.value == null
        ? notObservable(flags?.missing ?? NOT_KEPT)
        : observed(
            flags.value
              .split(',')
              .filter((flag) => flag !== '')
              .map(Number),
          ),
  };
}

function restoreServer(values: Values, nowUtcMs: number, utcOffsetMinutes: number): ServerFacts | null {
  const text = (fact: string): string | null => values.get(fact)?.value ?? null;
  const number = (fact: string): number | null => (text(fact) === null ? null : Number(text(fact)));
  const serverName = text('server_name');
  if (serverName === null) return null;
  const started = text('started_utc');
  const unknown = null;
  return {
    serverName,
    productVersion: text('product_version') ?? '',
    productLevel: '',
    edition: text('edition') ?? '',
    engineEdition: number('engine_edition') ?? 0,
    isClustered: null,
    isHadrEnabled: false,
    pathSeparator: null,
    loginName: '',
    ...{ nowUtcMs, utcOffsetMinutes },
    startedUtcMs: started === null ? null : Date.parse(started),
    recoveryIntervalMinutes: number('recovery_interval_minutes'),
    modelTargetSeconds: number('model_target_recovery_time_seconds'),
    permissions: {
      ...{ viewServerState: unknown, viewPerformanceState: unknown, alterEventSession: unknown, createEventSession: unknown },
      ...{ enableEventSession: unknown, disableEventSession: unknown, addSessionEvent: unknown, dropSessionEvent: unknown },
      dropEventSession: unknown,
    },
  };
}

function restoreDatabase(databaseId: number, name: string, values: Values): DatabaseFacts {
  const text = (fact: string): string | null => values.get(fact)?.value ?? null;
  const target = text('target_recovery_time_seconds');
  const role = text('availability_role');
  const isReadOnly = text('is_read_only') === '1';
  return {
    databaseId,
    name,
    createdLocal: text('created_local') ?? '',
    targetSeconds: target === null ? null : Number(target),
    state: text('state') ?? '',
    isReadOnly,
    isInStandby: false,
    isSnapshot: false,
    recoveryModel: text('recovery_model') ?? '',
    logReuseWait: '',
    compatibilityLevel: 0,
    updateability: isReadOnly ? 'READ_ONLY' : 'READ_WRITE',
    inAvailabilityGroup: role !== null && role !== 'NONE',
  };
}

function restoreRoles(databases: readonly { readonly databaseId: number; readonly values: Values }[]): Facts['roles'] {
  const roles = new Map<number, AvailabilityRole>();
  for (const { databaseId, values } of databases) {
    const { value = null, missing = null } = values.get('availability_role') ?? {};
    if (value === null && missing !== null) return notObservable(missing);
    if (value !== null && value !== 'NONE') roles.set(databaseId, { databaseId, role: value, groupName: '', primaryReplica: null });
  }
  return observed(roles);
}
