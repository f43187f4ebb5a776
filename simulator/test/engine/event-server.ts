import { startBuiltInSessions } from '../../engine/world/built-in-sessions';
import { createCatalog } from '../../engine/catalog/catalog';
import { makeEventSessions } from '../../engine/commands/event-session-commands';
import type { EventSessionDefinition } from '../../scenarios/event-session';
import type { EventSessions, Principal } from '../../engine/interface/instance';
import { createRandom } from '../../scenarios/random';
import { createWorld, type World } from '../../engine/world/world';
import { makeHealthy } from '../../scenarios/healthy';
import type { Scenario, ServerDescription } from '../../scenarios/scenario';
import type { SqlValue } from '../../tds/handler';
import type { Row } from './modelled';

/** A small server of any release and platform, its clock still. */
export interface EventServer {
  readonly world: World;
  readonly sessions: EventSessions;
  advance(durationMs: number): void;
  read(name: string, principal: Principal): readonly Row[];
  call(name: string, args: readonly SqlValue[], principal: Principal): readonly Row[];
  has(name: string): boolean;
}

export function createEventServer(server: Partial<ServerDescription> = {}, more: Partial<Scenario> = {}): EventServer {
  const healthy = makeHealthy(createRandom(7, 0), { databases: 30 });
  const scenario = { ...healthy, ...more, server: { ...healthy.server, ...server } };
  const world = createWorld(scenario, { seed: 7, rate: 0, startUtcMs: Date.UTC(2026, 2, 2, 9) });
  startBuiltInSessions(world);
  const catalog = createCatalog(world);
  const ask = (kind: 'view' | 'function', fullName: string, args: readonly SqlValue[], principal: Principal): readonly Row[] => {
    const [schema = '', name = ''] = fullName.split('.');
    const relation = catalog.findRelation({ kind, database: principal.database, schema, name, args, principal });
    if (relation === undefined) throw new Error(`${fullName} is not there`);
    return [...relation.rows()].map((row) => Object.fromEntries(relation.columns.map((column, i) => [column.name, row[i] ?? null])));
  };
  return {
    world,
    sessions: makeEventSessions(world),
    advance(durationMs) {
      world.clock.advance(durationMs);
      world.catchUp();
    },
    read: (name, principal) => ask('view', name, [], principal),
    call: (name, args, principal) => ask('function', name, args, principal),
    has(fullName) {
      const [schema = '', name = ''] = fullName.split('.');
      return catalog.findObjectId('master', schema, name) !== undefined;
    },
  };
}

export function watching(name: string, more: Partial<EventSessionDefinition> = {}): EventSessionDefinition {
  return {
    name,
    scope: 'server',
    events: ['checkpoint_begin', 'checkpoint_end'].map((event) => ({ package: 'sqlserver', name: event, actions: [] })),
    targets: [{ package: 'package0', name: 'event_file', options: { filename: `${name}.xel` } }],
    options: { MAX_DISPATCH_LATENCY: '5 SECONDS' },
    ...more,
  };
}

export function start(server: EventServer, definition: EventSessionDefinition, principal: Principal): void {
  server.sessions.create(definition, principal);
  server.sessions.alter(definition.name, definition.scope, [{ kind: 'state', state: 'start' }], principal);
}

export function stop(server: EventServer, definition: EventSessionDefinition, principal: Principal): void {
  server.sessions.alter(definition.name, definition.scope, [{ kind: 'state', state: 'stop' }], principal);
}
