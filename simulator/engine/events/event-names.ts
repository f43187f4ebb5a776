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
export function isOtherEvent(packageName: string, name: string): boolean {
  return KNOWN.has(`${packageName}.${name}`.toLowerCase());
}
