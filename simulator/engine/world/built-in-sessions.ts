import {
  fileTarget,
  ringTarget,
  type EventDefinition,
  type EventSessionDefinition,
  type TargetDefinition,
} from '../../scenarios/event-session';
import type { World } from './world';

const event = (name: string, actions: readonly string[] = []): EventDefinition => {
  const [owner = '', own = ''] = name.split('.');
  return { package: owner, name: own, actions };
};

const file = (filename: string): TargetDefinition =>
  fileTarget({ filename, max_file_size: 5, max_rollover_files: 4 });

const OPTIONS = {
  MAX_MEMORY: '4096 KB',
  STARTUP_STATE: 'ON',
  MAX_DISPATCH_LATENCY: '120 SECONDS',
  TRACK_CAUSALITY: 'OFF',
};

const COLLECTED = ['package0.event_sequence', 'sqlserver.session_id'];

/**
 * Every SQL Server runs this session from its start. Its events and options: Microsoft Learn, "Use the system_health
 * session". Here it has only the events that the model knows by name and never fires, without the predicates and the
 * heavy actions.
 */
const SYSTEM_HEALTH: EventSessionDefinition = {
  name: 'system_health',
  scope: 'server',
  events: [
    event('sqlserver.error_reported', COLLECTED),
    event('sqlserver.xml_deadlock_report'),
    event('sqlos.wait_info', COLLECTED),
    event('sqlos.wait_info_external', COLLECTED),
    event('sqlos.scheduler_monitor_system_health_ring_buffer_recorded'),
    event('sqlos.scheduler_monitor_non_yielding_ring_buffer_recorded'),
    event('sqlos.memory_broker_ring_buffer_recorded'),
    event('sqlserver.connectivity_ring_buffer_recorded'),
    event('sqlserver.security_error_ring_buffer_recorded'),
    event('sqlserver.sp_server_diagnostics_component_result'),
  ],
  targets: [file('system_health.xel'), ringTarget({ max_events_limit: 5000, max_memory: 4096 })],
  options: OPTIONS,
};

/**
 * Defined everywhere, started only with an availability group. Microsoft Learn, "Configure Extended Events for
 * availability groups".
 */
const ALWAYSON_HEALTH: EventSessionDefinition = {
  name: 'AlwaysOn_health',
  scope: 'server',
  events: [
    event('sqlserver.alwayson_ddl_executed'),
    event('sqlserver.availability_group_lease_expired'),
    event('sqlserver.availability_replica_state_change'),
    event('sqlserver.error_reported'),
  ],
  targets: [file('AlwaysOn_health.xel')],
  options: { ...OPTIONS, STARTUP_STATE: 'OFF', MAX_DISPATCH_LATENCY: '30 SECONDS' },
};

/** Since 2016, without a file. The full list of its events is not published; errors are among them. */
const TELEMETRY: EventSessionDefinition = {
  name: 'telemetry_xevents',
  scope: 'server',
  events: [event('sqlserver.error_reported')],
  targets: [ringTarget({ occurrence_number: 100 })],
  options: { ...OPTIONS, TRACK_CAUSALITY: 'ON' },
};

/**
 * Starts the sessions of the installation, then those that the scenario says somebody left. Azure SQL Database has no
 * built-in ones (Microsoft Learn, "Extended Events in Azure SQL Database": no system_health).
 */
export function startBuiltInSessions(world: World): void {
  const { server } = world.scenario;
  const upUs = world.startUs - server.upMs * 1000;
  if (server.platform !== 'azure-sql-database') {
    world.sessions.install(SYSTEM_HEALTH);
    start(world, 'system_health', upUs);
    world.sessions.install(ALWAYSON_HEALTH);
    if (world.availability !== undefined) start(world, 'AlwaysOn_health', upUs);
  }
  if ((server.platform === 'windows' || server.platform === 'linux') && server.release >= 2016) {
    world.sessions.install(TELEMETRY);
    start(world, 'telemetry_xevents', upUs);
  }
  startForeignSessions(world);
}

function start(world: World, name: string, atUs: number, databaseId?: number): void {
  world.sessions.alter(name, [{ kind: 'state', state: 'start' }], atUs, databaseId);
}

function startForeignSessions(world: World): void {
  for (const { definition, database, state, stopsAfterMs } of world.scenario.eventSessions ?? []) {
    const databaseId = database === undefined ? undefined : world.databases.byName(database)?.id;
    world.sessions.create(definition, databaseId);
    if (state === 'stopped') continue;
    start(world, definition.name, world.startUs, databaseId);
    if (stopsAfterMs !== undefined) stopLater(world, definition.name, databaseId, stopsAfterMs);
  }
}

/** Somebody stops it after a while, if nobody else has: what it wrote stays. */
function stopLater(world: World, name: string, databaseId: number | undefined, afterMs: number): void {
  world.agenda.enter(world.startUs + afterMs * 1000, (atUs) => {
    const session = world.sessions.find(name, databaseId);
    if (session?.running !== undefined)
      world.sessions.alter(name, [{ kind: 'state', state: 'stop' }], atUs, databaseId);
  });
}
