/**
 * The Extended Events objects that the model knows, with the packages, types and descriptions of SQL Server 2019's sys.dm_xe_objects.
 * Only `fires` events ever happen; the others can be subscribed to, as on a quiet server.
 */
export type FieldType = 'uint16' | 'uint32' | 'uint64' | 'unicode_string' | 'activity_id' | 'boolean';

export interface EventField {
  readonly name: string;
  readonly type: FieldType;
}

export interface CatalogueEvent {
  readonly package: string;
  readonly name: string;
  readonly description: string;
  readonly fields: readonly EventField[];
}

const DATABASE_ID: EventField = { name: 'database_id', type: 'uint32' };
const text = (name: string): EventField => ({ name, type: 'unicode_string' });
const count = (name: string): EventField => ({ name, type: 'uint64' });

/** docs/facts.md, SQL Server 3: one data field on begin and end; six on the scan. */
export const EVENTS: readonly CatalogueEvent[] = [
  { package: 'sqlserver', name: 'checkpoint_begin', description: 'Occurs when a checkpoint has begun.', fields: [DATABASE_ID] },
  { package: 'sqlserver', name: 'checkpoint_end', description: 'Occurs when a checkpoint has completed.', fields: [DATABASE_ID] },
  {
    package: 'sqlserver',
    name: 'buffer_pool_scan_complete',
    description: 'Buffer pool scan is completed.',
    fields: [
      DATABASE_ID,
      count('elapsed_time_ms'),
      text('command'),
      text('operation'),
      count('scanned_buffers'),
      count('total_iterated_buffers'),
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
  { package: 'sqlos', name: 'scheduler_monitor_system_health_ring_buffer_recorded', description: 'Health record', fields: [count('id')] },
];

export const ACTIONS: readonly {
  readonly package: string;
  readonly name: string;
  readonly type: FieldType;
  readonly description: string;
}[] = [
  { package: 'sqlserver', name: 'session_id', type: 'uint16', description: 'Collect session ID' },
  { package: 'sqlserver', name: 'database_id', type: 'uint16', description: 'Collect database ID' },
  { package: 'sqlserver', name: 'database_name', type: 'unicode_string', description: 'Collect current database name' },
  { package: 'sqlserver', name: 'server_instance_name', type: 'unicode_string', description: 'Collect the name of the Server instance' },
  { package: 'sqlserver', name: 'is_system', type: 'boolean', description: 'Collect whether current session is system' },
  { package: 'package0', name: 'event_sequence', type: 'uint64', description: 'Collect event sequence number' },
];

export const TARGETS: readonly { readonly package: string; readonly name: string; readonly description: string }[] = [
  {
    package: 'package0',
    name: 'event_file',
    description:
      'Use the event_file target to save the event data to an XEL file, which can be archived and used for later analysis and review.',
  },
  { package: 'package0', name: 'ring_buffer', description: 'Asynchronous ring buffer target.' },
];

/** Predicate sources outside the event's own fields. */
export const PREDICATE_SOURCES: readonly { readonly package: string; readonly name: string; readonly type: FieldType }[] = [
  { package: 'sqlserver', name: 'database_id', type: 'uint64' },
  { package: 'sqlserver', name: 'session_id', type: 'uint64' },
  { package: 'sqlserver', name: 'is_system', type: 'boolean' },
];

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

const same = (a: string, b: string): boolean => a.toLowerCase() === b.toLowerCase();

export function findEvent(packageName: string, name: string): CatalogueEvent | undefined {
  return EVENTS.find((event) => same(event.package, packageName) && same(event.name, name));
}

/** An action as written, `package.name` or the bare name. */
export function findAction(written: string): (typeof ACTIONS)[number] | undefined {
  const parts = written.replace(/[[\]]/g, '').split('.');
  const name = parts[parts.length - 1] ?? '';
  const packageName = parts.length > 1 ? parts[parts.length - 2] : undefined;
  return ACTIONS.find((action) => same(action.name, name) && (packageName === undefined || same(action.package, packageName)));
}

export function findTarget(packageName: string, name: string): (typeof TARGETS)[number] | undefined {
  return TARGETS.find((target) => same(target.package, packageName) && same(target.name, name));
}
