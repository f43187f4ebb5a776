import type { SqlValue } from '../../tds/handler';
import { PACKAGES, findAction, findEvent, findTarget } from '../event-catalogue';
import { readMemory, type DefinedSession } from '../event-sessions';
import type { World } from '../world';
import { STATE, view, type CatalogObject, type ViewOptions } from './object';
import { bit, field, int, nchar, need, nvarchar, sqlVariant, sysname, type Field } from './relation';

/** Every object of a session has a number within it, in the order of its definition: events from 2, then targets. The model's choice. */
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
) => ({
  package: known?.package ?? written.package,
  name: known?.name ?? written.name,
});

function listEvents(
  session: DefinedSession,
): readonly (Part & { readonly predicate: string | null; readonly actions: readonly string[] })[] {
  return session.definition.events.map((event, i) => ({
    session,
    id: FIRST_OBJECT_ID + i,
    ...exact(findEvent(event.package, event.name), event),
    predicate: event.predicateText ?? null,
    actions: event.actions,
  }));
}

function listActions(session: DefinedSession): readonly Part[] {
  return listEvents(session).flatMap((event) =>
    event.actions.map((written) => ({ session, id: event.id, ...exact(findAction(written), { package: 'sqlserver', name: written }) })),
  );
}

function listTargets(session: DefinedSession): readonly (Part & { readonly options: Readonly<Record<string, string | number>> })[] {
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
      value: typeof written === 'number' ? { type: int, value: written } : { type: nvarchar(4000), value: written },
    })),
  );
}

const option = (session: DefinedSession, name: string, otherwise: string): string => session.definition.options[name] ?? otherwise;
const RETENTION = { ALLOW_SINGLE_EVENT_LOSS: 'S', ALLOW_MULTIPLE_EVENT_LOSS: 'M', NO_EVENT_LOSS: 'N' } as const;
const PARTITIONS = { NONE: 'G', PER_NODE: 'N', PER_CPU: 'C' } as const;

function letterOf(letters: Readonly<Record<string, string>>, written: string): string {
  return letters[written.toUpperCase()] ?? '';
}

/** MAX_DISPATCH_LATENCY in milliseconds; -1 is INFINITE, which 0 seconds means too. */
function latencyMs(session: DefinedSession): number {
  const written = option(session, 'MAX_DISPATCH_LATENCY', '30 SECONDS');
  const seconds = /infinite/i.test(written) ? 0 : Number.parseInt(written, 10);
  return seconds === 0 ? -1 : seconds * 1000;
}

/** Microsoft Learn, "sys.server_event_sessions". */
const SESSIONS: readonly Field<DefinedSession>[] = [
  need('event_session_id', int, (s) => s.id),
  need('name', sysname, (s) => s.definition.name),
  need('event_retention_mode', nchar(1), (s) => letterOf(RETENTION, option(s, 'EVENT_RETENTION_MODE', 'ALLOW_SINGLE_EVENT_LOSS'))),
  field('event_retention_mode_desc', sysname, (s) => option(s, 'EVENT_RETENTION_MODE', 'ALLOW_SINGLE_EVENT_LOSS')),
  need('max_dispatch_latency', int, latencyMs),
  need('max_memory', int, (s) => readMemory(s.definition.options['MAX_MEMORY']) / 1024),
  need('max_event_size', int, (s) =>
    s.definition.options['MAX_EVENT_SIZE'] === undefined ? 0 : readMemory(s.definition.options['MAX_EVENT_SIZE']) / 1024,
  ),
  need('memory_partition_mode', nchar(1), (s) => letterOf(PARTITIONS, option(s, 'MEMORY_PARTITION_MODE', 'NONE'))),
  field('memory_partition_mode_desc', sysname, (s) => option(s, 'MEMORY_PARTITION_MODE', 'NONE')),
  need('track_causality', bit, (s) => option(s, 'TRACK_CAUSALITY', 'OFF') === 'ON'),
  need('startup_state', bit, (s) => option(s, 'STARTUP_STATE', 'OFF') === 'ON'),
];

const part = <T extends Part>(id: string): readonly Field<T>[] => [
  need('event_session_id', int, (p) => p.session.id),
  need(id, int, (p) => p.id),
  need('name', sysname, (p) => p.name),
  need('package', sysname, (p) => p.package),
  need('module', sysname, () => 'sqlservr'),
];

/** Microsoft Learn, "sys.server_event_session_events". The predicate stands as it was written: the server would show it re-formatted. */
const EVENTS: readonly Field<ReturnType<typeof listEvents>[number]>[] = [
  ...part<ReturnType<typeof listEvents>[number]>('event_id'),
  field('predicate', nvarchar(3000), (e) => e.predicate),
  field('predicate_xml', nvarchar(3000), () => null),
];

const FIELDS: readonly Field<SessionField>[] = [
  need('event_session_id', int, (f) => f.session.id),
  need('object_id', int, (f) => f.objectId),
  need('name', sysname, (f) => f.name),
  field('value', sqlVariant, (f) => f.value),
];

const DEFINED: ViewOptions = { ...STATE, version: (world) => world.sessions.version };
const ofEach =
  <T>(list: (session: DefinedSession) => readonly T[]) =>
  (world: World): readonly T[] =>
    world.sessions.all.flatMap(list);

export const EVENT_SESSION_OBJECTS: readonly CatalogObject[] = [
  view('sys.server_event_sessions', SESSIONS, (world) => world.sessions.all, DEFINED),
  view('sys.server_event_session_events', EVENTS, ofEach(listEvents), DEFINED),
  view('sys.server_event_session_actions', part<Part>('event_id'), ofEach(listActions), DEFINED),
  view('sys.server_event_session_targets', part<ReturnType<typeof listTargets>[number]>('target_id'), ofEach(listTargets), DEFINED),
  view('sys.server_event_session_fields', FIELDS, ofEach(listFields), DEFINED),
];

/** The GUID of a package by its name. */
export function packageGuid(name: string): string {
  return PACKAGES.find((known) => known.name === name)?.guid ?? '';
}
