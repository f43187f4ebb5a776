import type { ServerDescription } from '../../scenarios/scenario';
import { isPresent, type Presence } from '../../scenarios/platform';

/**
 * The Extended Events objects that the model knows. Descriptions are in the model's own words: none was read from a
 * server.
 */
export type FieldType =
  | 'uint16'
  | 'uint32'
  | 'uint64'
  | 'int32'
  | 'unicode_string'
  | 'activity_id'
  | 'boolean'
  | 'filetime';

interface EventField {
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
  /**
   * Only sessions of the installation may have it. The model never fires it, so another session would wrongly report
   * that nothing had happened. Its fields are not known here.
   */
  readonly isQuiet?: boolean;
}

const DATABASE_ID: EventField = { name: 'database_id', type: 'uint32' };
const text = (name: string): EventField => ({ name, type: 'unicode_string' });
const count = (name: string): EventField => ({ name, type: 'uint64' });
const event = (name: string, description: string, fields: readonly EventField[] = []): CatalogueEvent => ({
  package: 'sqlserver',
  name,
  description,
  fields,
});
const quiet = (owner: string, name: string, description: string): CatalogueEvent => ({
  ...event(name, description),
  package: owner,
  isQuiet: true,
});

/**
 * docs/facts.md, SQL Server 3: one data field on begin and end; six on the scan, seven since 2022, and no scan before
 * 2016 SP3.
 */
const EVENTS: readonly CatalogueEvent[] = [
  event('checkpoint_begin', 'Occurs when a checkpoint has begun.', [DATABASE_ID]),
  event('checkpoint_end', 'Occurs when a checkpoint has completed.', [DATABASE_ID]),
  {
    ...event('buffer_pool_scan_complete', 'Buffer pool scan is completed.', [
      DATABASE_ID,
      count('elapsed_time_ms'),
      text('command'),
      text('operation'),
      count('scanned_buffers'),
      count('total_iterated_buffers'),
      { ...count('parallel_tasks'), presence: { since: 2022 } },
    ]),
    presence: { since: 2016 },
  },
  // Its fields, and when it fires, are not published: the model never fires it (docs/facts.md, SQL Server 3).
  event('recovery_target_miss', 'The recovery target was missed.'),
  // Fired by sp_trace_generateevent alone, which the model does not have. Microsoft Learn, that procedure.
  event('user_event', 'Occurs when a user-defined event is generated.', [text('user_info')]),
  quiet('sqlserver', 'error_reported', 'Occurs when an error is reported.'),
  quiet('sqlserver', 'xml_deadlock_report', 'Produces a deadlock report in XML format.'),
  quiet('sqlos', 'wait_info', 'Occurs when there is a wait on a SQLOS controlled resource'),
  quiet('sqlos', 'wait_info_external', 'Occurs when a wait is initiated on a SQLOS external resource.'),
  quiet('sqlos', 'scheduler_monitor_system_health_ring_buffer_recorded', 'Health record'),
  quiet('sqlos', 'scheduler_monitor_non_yielding_ring_buffer_recorded', 'Non-yielding record'),
  quiet('sqlos', 'memory_broker_ring_buffer_recorded', 'Memory broker record'),
  quiet(
    'sqlserver',
    'connectivity_ring_buffer_recorded',
    'Occurs when a server-initiated connection closure is recorded.',
  ),
  quiet('sqlserver', 'security_error_ring_buffer_recorded', 'Security error record'),
  quiet(
    'sqlserver',
    'sp_server_diagnostics_component_result',
    'Occurs when a component of sp_server_diagnostics has a result.',
  ),
  quiet('sqlserver', 'alwayson_ddl_executed', 'Occurs when availability group DDL is executed.'),
  quiet(
    'sqlserver',
    'availability_replica_state_change',
    'Occurs when the state of an availability replica changes.',
  ),
  quiet(
    'sqlserver',
    'availability_group_lease_expired',
    'Occurs when the lease of an availability group expires.',
  ),
];

interface CatalogueTarget {
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

export const PACKAGES: readonly {
  readonly name: string;
  readonly guid: string;
  readonly description: string;
}[] = [
  {
    name: 'package0',
    guid: '60AA9FBF-673B-4553-B7ED-71DCA7F5E972',
    description: 'Default package. Contains all standard types, maps, compare operators, actions and targets',
  },
  {
    name: 'sqlos',
    guid: 'BD97CC63-3F38-4922-AA93-607BD12E78B2',
    description: 'Extended events for SQL Operating System',
  },
  {
    name: 'sqlserver',
    guid: '655FD93F-3364-40D5-B2BA-330F7FFB6491',
    description: 'Extended events for Microsoft SQL Server',
  },
];

export const hasPackage = (written: string): boolean =>
  PACKAGES.some(({ name }) => name === written.toLowerCase());

/** The module that the packages of the engine belong to. */
export const ENGINE_MODULE_GUID = 'CE79811F-1A80-40E1-8F5D-7445A3F375E7';

export type EventCatalogue = ReturnType<typeof createEventCatalogue>;

/** The Extended Events objects of one server, by its release and platform. */
export function createEventCatalogue(server: Pick<ServerDescription, 'release' | 'platform'>) {
  const events: readonly CatalogueEvent[] = EVENTS.filter((event) => isPresent(event.presence, server)).map(
    (event) => ({
      ...event,
      fields: event.fields.filter((field) => isPresent(field.presence, server)),
    }),
  );
  const byName = new Map(events.map((event) => [`${event.package}.${event.name}`, event]));
  return {
    events,
    targets: TARGETS,
    findEvent: (packageName: string, name: string) => byName.get(`${packageName}.${name}`.toLowerCase()),
    /** Whether other releases or platforms have the event and this one does not. */
    lacks: (packageName: string, name: string) =>
      EVENTS.some((each) => `${each.package}.${each.name}` === `${packageName}.${name}`.toLowerCase()),
  };
}

export function findTarget(packageName: string, name: string): CatalogueTarget | undefined {
  const written = `${packageName}.${name}`.toLowerCase();
  return TARGETS.find((target) => `${target.package}.${target.name}` === written);
}
