import type { ServerDescription } from '../../scenarios/scenario';
import { NOT_IN_AZURE_SQL_DATABASE, findAction, isOtherAction } from './event-actions';
import { OTHER_TARGETS, findTarget, type EventCatalogue, type FieldType } from './event-catalogue';
import { isUrl } from './event-disk';
import { eventErrors } from './event-errors';
import { checkOptions } from './event-options';
import { checkPredicate } from './event-predicate';
import type {
  EventSessionChange,
  EventDefinition,
  EventSessionDefinition,
  TargetDefinition,
} from '../../scenarios/event-session';

/** What decides which definitions a server allows: its release, its platform and its objects. */
export interface DefinitionRules {
  readonly server: Pick<ServerDescription, 'platform' | 'release' | 'cpuCount'>;
  readonly catalogue: EventCatalogue;
}

/** Microsoft Learn, "Targets for Extended Events"; metadatafile is of 2008 and has no effect since. */
const TARGET_OPTIONS: readonly (readonly [
  object: string,
  name: string,
  type: FieldType,
  isMandatory: boolean,
])[] = [
  ['event_file', 'filename', 'unicode_string', true],
  ['event_file', 'max_file_size', 'uint64', false],
  ['event_file', 'max_rollover_files', 'uint32', false],
  ['event_file', 'increment', 'uint64', false],
  ['event_file', 'metadatafile', 'unicode_string', false],
  ['ring_buffer', 'max_memory', 'uint32', false],
  ['ring_buffer', 'max_events_limit', 'uint32', false],
  ['ring_buffer', 'occurrence_number', 'uint32', false],
];

/** The GUID stands for the module of package0; target errors name it. Seen in published 25602 texts. */
const TARGET_MODULE = '5B2DA06D-898A-43C8-9309-39BBBE93EBBD';
/** docs/facts.md, SQL Server 3. */
const MOST_PREDICATE_CHARACTERS = 3000;
/** Amazon RDS User Guide, "Using extended events with Amazon RDS for Microsoft SQL Server". */
const RDS_DIRECTORY = /^d:\\rdsdbdata\\log\\[^\\]+$/i;
const RDS_RING_KB = 4096;

interface Named {
  readonly package: string;
  readonly name: string;
}

const written = ({ package: owner, name }: Named): string => `${owner}.${name}`;
const isNamed = (wanted: Named) => (each: Named) =>
  written(each).toLowerCase() === written(wanted).toLowerCase();

/** As error messages name a target. */
export function targetName(target: Named): string {
  return `${TARGET_MODULE}.${written(target)}`;
}

/**
 * Checks all of CREATE EVENT SESSION except whether the name is free.
 * @throws SqlError 25701, 25623, 25626, 25706, 25713, 25715, 25716, 25636, 25629, 25642, 25651, 25632, 25640, 25708,
 * 25744, 40538
 */
export function checkDefinition(definition: EventSessionDefinition, rules: DefinitionRules): void {
  if (definition.name.startsWith('#')) throw eventErrors.temporaryName(definition.name);
  const twice = <T extends Named>(kind: 'event' | 'target', objects: readonly T[]): void => {
    const second = objects.find((each, i) => objects.findIndex(isNamed(each)) < i);
    if (second !== undefined) throw eventErrors.specifiedTwice(kind, written(second));
  };
  twice('event', definition.events);
  twice('target', definition.targets);
  definition.events.forEach((event) => checkEvent(event, rules));
  definition.targets.forEach((target) => checkTarget(target, rules));
  checkOptions(definition.options);
}

/**
 * The definition after one change of ALTER EVENT SESSION; STATE changes none.
 * @throws SqlError 25625, 25653, 25707 for any option except STARTUP_STATE while the session runs, and what CREATE
 * throws
 */
export function changeDefinition(
  definition: EventSessionDefinition,
  change: EventSessionChange,
  rules: DefinitionRules,
): EventSessionDefinition {
  const { events, targets } = definition;
  switch (change.kind) {
    case 'state':
      return definition;
    case 'addEvent':
      checkEvent(change.event, rules);
      if (events.some(isNamed(change.event)))
        throw eventErrors.alreadyInSession('event', written(change.event));
      return { ...definition, events: [...events, change.event] };
    case 'dropEvent':
      if (!events.some(isNamed(change))) throw eventErrors.notInSession('event', written(change));
      return { ...definition, events: events.filter((event) => !isNamed(change)(event)) };
    case 'dropTarget':
      if (!targets.some(isNamed(change))) throw eventErrors.notInSession('target', written(change));
      return { ...definition, targets: targets.filter((target) => !isNamed(change)(target)) };
  }
}

function checkEvent(definition: EventDefinition, { catalogue, server }: DefinitionRules): void {
  const event = catalogue.findEvent(definition.package, definition.name);
  if (event?.isQuiet === true || (event === undefined && isOtherEvent(definition.package, definition.name)))
    throw eventErrors.notModelled(`event ${written(definition)}`);
  if (event === undefined) throw eventErrors.invalidObject('event', written(definition));
  for (const action of definition.actions) checkAction(action, server.platform);
  checkPredicate(definition.predicate, event);
  if ((definition.predicateText?.length ?? 0) > MOST_PREDICATE_CHARACTERS)
    throw eventErrors.predicateTooLong(definition.name);
}

function checkAction(action: string, platform: DefinitionRules['server']['platform']): void {
  const known = findAction(action);
  if (known === undefined && isOtherAction(action)) throw eventErrors.notModelled(`action ${action}`);
  if (known === undefined) throw eventErrors.invalidObject('action', action);
  if (platform === 'azure-sql-database' && NOT_IN_AZURE_SQL_DATABASE.includes(known.name))
    throw eventErrors.actionNotInAzure(written(known));
}

function checkTarget(definition: TargetDefinition, { server }: DefinitionRules): void {
  const target = findTarget(definition.package, definition.name);
  if (target === undefined) {
    if (
      definition.package.toLowerCase() === 'package0' &&
      OTHER_TARGETS.includes(definition.name.toLowerCase())
    )
      throw eventErrors.notModelled(`target ${written(definition)}`);
    throw eventErrors.invalidObject('target', written(definition));
  }
  const given = Object.entries(definition.options).map(
    ([name, value]) => [name, name.toLowerCase(), value] as const,
  );
  const known = TARGET_OPTIONS.filter(([object]) => object === target.name);
  for (const [name, folded, value] of given) {
    const option = known.find(([, each]) => each === folded);
    if (option === undefined) throw eventErrors.noSuchTargetOption(targetName(definition), name);
    if ((option[2] === 'unicode_string') !== (typeof value === 'string'))
      throw eventErrors.targetOptionType(targetName(definition), name, option[2]);
  }
  const missing = known.find(
    ([, name, , isMandatory]) => isMandatory && !given.some(([, folded]) => folded === name),
  );
  if (missing !== undefined) throw eventErrors.missingFilename(targetName(definition));
  checkForPlatform(target.name, new Map(given.map(([, folded, value]) => [folded, value])), server.platform);
}

/**
 * Azure takes only blobs of https URLs, checked at CREATE; docs/facts.md, SQL Server 4. The error of RDS is not
 * published.
 */
function checkForPlatform(
  target: string,
  options: ReadonlyMap<string, string | number>,
  platform: DefinitionRules['server']['platform'],
): void {
  const file = String(options.get('filename') ?? '');
  const isBlob = isUrl(file) && /^https:\/\/[^/]+\.blob\.[^/]+\/[^/]+\/./i.test(file);
  const isAzure = platform === 'azure-sql-database' || platform === 'managed-instance';
  if (target === 'event_file' && isAzure && !isBlob) throw eventErrors.urlRequired();
  if (platform !== 'rds') return;
  if (target === 'event_file' && !RDS_DIRECTORY.test(file))
    throw eventErrors.refusedSomehow(`the file ${file} on Amazon RDS`);
  if (target === 'ring_buffer' && Number(options.get('max_memory') ?? 0) > RDS_RING_KB)
    throw eventErrors.refusedSomehow('a ring_buffer above 4 MB on Amazon RDS');
}

/**
 * Events that the model knows only by name: the common ones of SQL Server's 1,500 or so (Microsoft Learn, "View the
 * Extended Events equivalents to SQL Trace event classes", and published sessions). The model refuses them as not
 * modelled, and any other unknown name as wrong.
 */
// oxfmt-ignore
const NAMES: Readonly<Record<string, string>> = {
  sqlserver: `sql_batch_completed rpc_completed errorlog_written databases_log_flush recovery_unit_harden_log_timestamps sql_statement_completed sql_statement_starting sp_statement_completed sp_statement_starting sql_batch_starting rpc_starting module_start module_end
    attention login logout existing_connection blocked_process_report lock_acquired lock_released lock_cancel lock_deadlock lock_deadlock_chain lock_escalation
    lock_timeout lock_timeout_greater_than_0 database_xml_deadlock_report xml_deadlock_report_filtered page_split file_read file_read_completed file_written
    file_write_completed flush_file_buffers long_io_detected physical_page_read physical_page_write log_flush_start log_flush_complete log_flush_requested
    log_block_cache transaction_log sql_transaction database_transaction_begin database_transaction_end databases_log_file_size_changed
    databases_data_file_size_changed databases_log_growth databases_log_truncation database_file_size_change database_started database_stopped database_attached
    database_detached database_created database_dropped database_recovery_progress_report recovery_indirect_checkpoint object_created object_altered
    object_deleted query_post_execution_showplan query_post_compilation_showplan query_pre_execution_showplan query_thread_profile
    query_post_execution_plan_profile query_optimizer_timeout hash_warning sort_warning hash_spill_details missing_column_statistics missing_join_predicate
    plan_affecting_convert execution_warning exchange_spill bitmap_disabled_warning auto_stats sql_statement_recompile plan_cache_cache_hit sp_cache_hit
    sp_cache_insert sp_cache_miss sp_cache_remove plan_guide_successful plan_guide_unsuccessful latch_suspend_begin latch_suspend_end latch_acquire_time
    trace_flag_changed server_memory_change server_start_stop backup_restore_progress_trace cursor_open cursor_close cursor_execute cursor_prepare
    prepare_sql exec_prepared_sql unprepare_sql scan_started scan_stopped progress_report_online_index_operation oledb_call oledb_error full_text_crawl_started
    login_failed security_error deprecation_announcement deprecation_final_support assert_fired exception_ring_buffer_recorded buffer_manager_page_life_expectancy
    buffer_manager_database_pages buffer_manager_target_pages background_job_error degree_of_parallelism query_memory_grant_usage memory_grant_updated_by_feedback
    hadr_db_partner_set_sync_state hadr_db_commit_mgr_harden hadr_capture_log_block hadr_send_harden_lsn_message availability_replica_state
    availability_replica_manager_state_change availability_replica_automatic_failover_validation lock_redo_blocked`,
  sqlos: `wait_completed wait_info_internal async_io_requested async_io_completed spinlock_backoff spinlock_backoff_warning scheduler_monitor_deadlock_ring_buffer_recorded
    scheduler_monitor_stalled_dispatcher_ring_buffer_recorded memory_node_oom_ring_buffer_recorded page_allocated page_freed task_started task_completed
    nonpreemptive_long_syncio dump_exception_routine_executed process_killed`,
};

const KNOWN: ReadonlySet<string> = new Set(
  Object.entries(NAMES).flatMap(([owner, names]) => names.split(/\s+/).map((name) => `${owner}.${name}`)),
);

/** Whether it is an event of SQL Server that the model knows only by name. */
function isOtherEvent(packageName: string, name: string): boolean {
  return KNOWN.has(`${packageName}.${name}`.toLowerCase());
}
