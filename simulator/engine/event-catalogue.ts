import type { ServerDescription } from '../scenarios/scenario';
import { isPresent, type Presence } from './catalog/relation';

/**
 * The Extended Events objects that the model knows, with the packages, types and descriptions of SQL Server 2019's sys.dm_xe_objects.
 * Only checkpoints and their scans ever happen; the other events can be subscribed to, as on a quiet server.
 */
export type FieldType = 'uint16' | 'uint32' | 'uint64' | 'int32' | 'unicode_string' | 'activity_id' | 'boolean' | 'filetime';

export interface EventField {
  readonly name: string;
  readonly type: FieldType;
  readonly presence?: Presence;
}

export interface CatalogueEvent {
  readonly package: string;
  readonly name: string;
  readonly description: string;
  readonly fields: readonly EventField[];
  readonly presence?: Presence;
}

const DATABASE_ID: EventField = { name: 'database_id', type: 'uint32' };
const text = (name: string): EventField => ({ name, type: 'unicode_string' });
const count = (name: string): EventField => ({ name, type: 'uint64' });

/** docs/facts.md, SQL Server 3: one data field on begin and end; six on the scan, seven since 2022, and no scan before 2016 SP3. */
const EVENTS: readonly CatalogueEvent[] = [
  { package: 'sqlserver', name: 'checkpoint_begin', description: 'Occurs when a checkpoint has begun.', fields: [DATABASE_ID] },
  { package: 'sqlserver', name: 'checkpoint_end', description: 'Occurs when a checkpoint has completed.', fields: [DATABASE_ID] },
  {
    package: 'sqlserver',
    name: 'buffer_pool_scan_complete',
    description: 'Buffer pool scan is completed.',
    presence: { since: 2016 },
    fields: [
      DATABASE_ID,
      count('elapsed_time_ms'),
      text('command'),
      text('operation'),
      count('scanned_buffers'),
      count('total_iterated_buffers'),
      { ...count('parallel_tasks'), presence: { since: 2022 } },
    ],
  },
  { package: 'sqlserver', name: 'databases_log_flush', description: 'Occurs when a log flush has occurred.', fields: [DATABASE_ID] },
  {
    package: 'sqlserver',
    name: 'error_reported',
    description: 'Occurs when an error is reported.',
    fields: [{ name: 'error_number', type: 'uint32' }, text('message')],
  },
  {
    package: 'sqlserver',
    name: 'errorlog_written',
    description: 'Event fired when a message is written to the errorlog',
    fields: [text('message')],
  },
  {
    package: 'sqlserver',
    name: 'sql_batch_completed',
    description: 'Occurs when a Transact-SQL batch has completed.',
    fields: [count('duration'), text('batch_text')],
  },
  {
    package: 'sqlserver',
    name: 'rpc_completed',
    description: 'Occurs when a remote procedure call has completed.',
    fields: [count('duration'), text('statement')],
  },
  {
    package: 'sqlserver',
    name: 'xml_deadlock_report',
    description: 'Produces a deadlock report in XML format.',
    fields: [text('xml_report')],
  },
  {
    package: 'sqlserver',
    name: 'recovery_unit_harden_log_timestamps',
    description: 'Occurs when the log is hardened.',
    fields: [DATABASE_ID],
  },
  {
    package: 'sqlos',
    name: 'wait_info',
    description: 'Occurs when there is a wait on a SQLOS controlled resource',
    fields: [count('duration')],
  },
  {
    package: 'sqlos',
    name: 'wait_info_external',
    description: 'Occurs when a wait is initiated on a SQLOS external resource.',
    fields: [count('duration')],
  },
  { package: 'sqlos', name: 'scheduler_monitor_system_health_ring_buffer_recorded', description: 'Health record', fields: [count('id')] },
  {
    package: 'sqlos',
    name: 'scheduler_monitor_non_yielding_ring_buffer_recorded',
    description: 'Non-yielding record',
    fields: [count('id')],
  },
  { package: 'sqlos', name: 'memory_broker_ring_buffer_recorded', description: 'Memory broker record', fields: [count('id')] },
  {
    package: 'sqlserver',
    name: 'connectivity_ring_buffer_recorded',
    description: 'Occurs when a server-initiated connection closure is recorded.',
    fields: [count('id')],
  },
  { package: 'sqlserver', name: 'security_error_ring_buffer_recorded', description: 'Security error record', fields: [count('id')] },
  {
    package: 'sqlserver',
    name: 'sp_server_diagnostics_component_result',
    description: 'Occurs when a component of sp_server_diagnostics has a result.',
    fields: [text('component'), text('data')],
  },
  {
    package: 'sqlserver',
    name: 'alwayson_ddl_executed',
    description: 'Occurs when availability group DDL is executed.',
    fields: [text('statement')],
  },
  {
    package: 'sqlserver',
    name: 'availability_replica_state_change',
    description: 'Occurs when the state of an availability replica changes.',
    fields: [text('availability_replica_name')],
  },
  {
    package: 'sqlserver',
    name: 'availability_group_lease_expired',
    description: 'Occurs when the lease of an availability group expires.',
    fields: [text('availability_group_name')],
  },
];

export interface CatalogueTarget {
  readonly package: string;
  readonly name: string;
  readonly description: string;
}

const TARGETS: readonly CatalogueTarget[] = [
  {
    package: 'package0',
    name: 'event_file',
    description:
      'Use the event_file target to save the event data to an XEL file, which can be archived and used for later analysis and review.',
  },
  { package: 'package0', name: 'ring_buffer', description: 'Asynchronous ring buffer target.' },
];

/** Targets that SQL Server has and the model does not. Microsoft Learn, "Extended Events targets". */
export const OTHER_TARGETS: readonly string[] = ['event_counter', 'histogram', 'pair_matching', 'etw_classic_sync_target', 'event_stream'];

export const PACKAGES: readonly { readonly name: string; readonly guid: string; readonly description: string }[] = [
  {
    name: 'package0',
    guid: '60AA9FBF-673B-4553-B7ED-71DCA7F5E972',
    description: 'Default package. Contains all standard types, maps, compare operators, actions and targets',
  },
  { name: 'sqlos', guid: 'BD97CC63-3F38-4922-AA93-607BD12E78B2', description: 'Extended events for SQL Operating System' },
  { name: 'sqlserver', guid: '655FD93F-3364-40D5-B2BA-330F7FFB6491', description: 'Extended events for Microsoft SQL Server' },
];

/** The module that the packages of the engine belong to. */
export const ENGINE_MODULE_GUID = 'CE79811F-1A80-40E1-8F5D-7445A3F375E7';

/** What one server has, by its release and platform. */
export interface EventCatalogue {
  readonly events: readonly CatalogueEvent[];
  readonly targets: readonly CatalogueTarget[];
  findEvent(packageName: string, name: string): CatalogueEvent | undefined;
}

export function createEventCatalogue(server: Pick<ServerDescription, 'release' | 'platform'>): EventCatalogue {
  const events = EVENTS.filter((event) => isPresent(event.presence, server)).map((event) => ({
    ...event,
    fields: event.fields.filter((field) => isPresent(field.presence, server)),
  }));
  const byName = new Map(events.map((event) => [`${event.package}.${event.name}`, event]));
  return { events, targets: TARGETS, findEvent: (packageName, name) => byName.get(`${packageName}.${name}`.toLowerCase()) };
}

export function findTarget(packageName: string, name: string): CatalogueTarget | undefined {
  const written = `${packageName}.${name}`.toLowerCase();
  return TARGETS.find((target) => `${target.package}.${target.name}` === written);
}
