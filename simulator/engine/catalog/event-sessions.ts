import type { SqlValue } from '../../tds/handler';
import { nameAction } from '../events/event-actions';
import { findTarget } from '../events/event-catalogue';
import { isOn, readLatencySeconds } from '../events/event-options';
import type { DefinedSession } from '../events/event-sessions';
import type { World } from '../world/world';
import { STATE, view, type Asked, type CatalogObject, type ViewOptions } from './object';
import type { Presence } from '../../scenarios/platform';
import { bit, field, int, need, nvarchar, sqlVariant, sysname, type Field, unmodelled } from './relation';

/** Numbers the objects of a session in the order of its definition: events from 2, then targets. The model's choice. */
const FIRST_OBJECT_ID = 2;

interface Part {
  readonly session: DefinedSession;
  readonly id: number;
  readonly package: string;
  readonly name: string;
}

const exact = <T extends { readonly package: string; readonly name: string }>(
  known: T | undefined,
  written: { readonly package: string; readonly name: string },
) => ({ package: known?.package ?? written.package, name: known?.name ?? written.name });

function listEvents(
  session: DefinedSession,
): readonly (Part & { readonly predicate: string | null; readonly actions: readonly string[] })[] {
  return session.definition.events.map((event, i) => ({
    session,
    id: FIRST_OBJECT_ID + i,
    package: event.package.toLowerCase(),
    name: event.name.toLowerCase(),
    predicate: event.predicateText ?? null,
    actions: event.actions,
  }));
}

function listTargets(
  session: DefinedSession,
): readonly (Part & { readonly options: Readonly<Record<string, string | number>> })[] {
  const first = FIRST_OBJECT_ID + session.definition.events.length;
  return session.definition.targets.map((target, i) => ({
    session,
    id: first + i,
    ...exact(findTarget(target.package, target.name), target),
    options: target.options,
  }));
}

interface SessionField {
  readonly session: DefinedSession;
  readonly objectId: number;
  readonly name: string;
  readonly value: SqlValue;
}

function listFields(session: DefinedSession): readonly SessionField[] {
  return listTargets(session).flatMap((target) =>
    Object.entries(target.options).map(([name, written]) => ({
      session,
      objectId: target.id,
      name: name.toLowerCase(),
      value:
        typeof written === 'number'
          ? { type: int, value: written }
          : { type: nvarchar(4000), value: written },
    })),
  );
}

/** MAX_DISPATCH_LATENCY in milliseconds; -1 is INFINITE, which 0 seconds means too. */
function latencyMs(session: DefinedSession): number {
  const seconds = readLatencySeconds(session.definition.options);
  return seconds === 0 ? -1 : seconds * 1000;
}

/** Microsoft Learn, "sys.server_event_sessions" and "sys.database_event_sessions". */
const SESSIONS: readonly Field<DefinedSession>[] = [
  need('event_session_id', int, (s) => s.id),
  need('name', sysname, (s) => s.definition.name),
  need('max_dispatch_latency', int, latencyMs),
  need('track_causality', bit, (s) => isOn(s.definition.options, 'TRACK_CAUSALITY')),
  ...unmodelled(`event_retention_mode event_retention_mode_desc max_memory max_event_size memory_partition_mode memory_partition_mode_desc
    startup_state 2025 max_duration`),
];

const part = <T extends Part>(id: string): readonly Field<T>[] => [
  need('event_session_id', int, (p) => p.session.id),
  need(id, int, (p) => p.id),
  need('name', sysname, (p) => p.name),
  need('package', sysname, (p) => p.package),
  need('module', sysname, () => 'sqlservr'),
];

/**
 * Microsoft Learn, "sys.server_event_session_events". Shows the predicate as written; the server would format it again.
 */
const EVENTS: readonly Field<ReturnType<typeof listEvents>[number]>[] = [
  ...part<ReturnType<typeof listEvents>[number]>('event_id'),
  field('predicate', nvarchar(3000), (e) => e.predicate),
  field('predicate_xml', nvarchar(3000), () => null),
];

/** Microsoft Learn, "sys.server_event_session_actions". */
const ACTIONS: readonly Field<Part>[] = part<Part>('event_id');

const listActions = (session: DefinedSession): readonly Part[] =>
  listEvents(session).flatMap(({ actions, id }) =>
    actions.map((written) => ({ session, id, ...nameAction(written) })),
  );

const FIELDS: readonly Field<SessionField>[] = [
  need('event_session_id', int, (f) => f.session.id),
  need('object_id', int, (f) => f.objectId),
  need('name', sysname, (f) => f.name),
  field('value', sqlVariant, (f) => f.value),
];

type List<T> = (session: DefinedSession) => readonly T[];

/** Which sessions a view shows: those of the server, or those of the database that asks. */
export interface Scope {
  /** `server` or `database`, as catalog views are called. */
  readonly name: string;
  readonly presence: Presence;
  list(world: World, asked: Asked): readonly DefinedSession[];
}

/** Azure SQL Database has no sessions of the server. Microsoft Learn, "sys.dm_xe_sessions". */
export const SERVER_SCOPE: Scope = {
  name: 'server',
  presence: { on: ['windows', 'linux', 'managed-instance', 'rds'] },
  list: (world) => world.sessions.all.filter((session) => session.databaseId === undefined),
};

/** Microsoft Learn, "sys.dm_xe_database_sessions". */
export const DATABASE_SCOPE: Scope = {
  name: 'database',
  presence: { on: ['azure-sql-database', 'managed-instance'] },
  list(world, asked) {
    const id = world.databases.byName(asked.database)?.id;
    return world.sessions.all.filter((session) => id !== undefined && session.databaseId === id);
  },
};

function makeViews(scope: Scope): readonly CatalogObject[] {
  const { name, presence } = scope;
  // In another database this view shows other rows, so only those of the server are kept.
  const options: ViewOptions = {
    ...STATE,
    presence,
    ...(name === 'server' ? { version: (world: World) => world.sessions.version } : {}),
  };
  const ofEach =
    <T>(list: List<T>) =>
    (world: World, asked: Asked): readonly T[] =>
      scope.list(world, asked).flatMap(list);
  const prefix = `sys.${name}_event_session`;
  return [
    view(`${prefix}s`, SESSIONS, (world, asked) => scope.list(world, asked), options),
    view(`${prefix}_events`, EVENTS, ofEach(listEvents), options),
    view(`${prefix}_actions`, ACTIONS, ofEach(listActions), options),
    view(
      `${prefix}_targets`,
      part<ReturnType<typeof listTargets>[number]>('target_id'),
      ofEach(listTargets),
      options,
    ),
    view(`${prefix}_fields`, FIELDS, ofEach(listFields), options),
  ];
}

export const EVENT_SESSION_OBJECTS: readonly CatalogObject[] = [
  ...makeViews(SERVER_SCOPE),
  ...makeViews(DATABASE_SCOPE),
];
