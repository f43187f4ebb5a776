/** Objects that SQL Server has: a query for one that is not modelled is told so, rather than that it does not exist. */
const catalog = `all_columns all_objects all_parameters all_sql_modules all_views allocation_units assemblies asymmetric_keys availability_databases_cluster
availability_group_listeners availability_groups availability_groups_cluster availability_replicas certificates change_tracking_databases check_constraints
columns configurations credentials database_audit_specifications database_event_sessions database_files database_mirroring database_permissions database_principals
database_query_store_options database_recovery_status database_role_members database_scoped_configurations databases default_constraints endpoints events
extended_properties filegroups foreign_key_columns foreign_keys fulltext_catalogs identity_columns index_columns indexes key_constraints linked_logins
login_token master_files messages objects parameters partition_functions partition_schemes partitions procedures query_store_plan query_store_query
query_store_runtime_stats resource_governor_configuration schemas securable_classes sequences server_audits server_event_session_actions
server_event_session_events server_event_session_fields server_event_session_targets server_event_sessions server_permissions server_principals
server_role_members server_triggers servers service_broker_endpoints spatial_indexes sql_expression_dependencies sql_logins sql_modules stats stats_columns
symmetric_keys synonyms sysaltfiles syscolumns sysconfigures syscurconfigs sysdatabases sysdevices sysfiles sysindexes syslockinfo syslogins sysmessages
sysobjects sysperfinfo sysprocesses sysservers syslanguages system_components_surface_area_configuration system_objects system_sql_modules system_views
table_types tables tcp_endpoints time_zone_info traces trigger_events triggers trace_events types user_token views xml_schema_collections
fn_dblog fn_dump_dblog fn_get_audit_file fn_get_sql fn_helpcollations fn_my_permissions fn_trace_getinfo fn_trace_gettable fn_virtualfilestats
database_automatic_tuning_options database_automatic_tuning_mode database_service_objectives resource_governor_workload_groups
resource_governor_resource_pools resource_governor_external_resource_pools trace_columns trace_categories trace_subclass_values trace_event_bindings
internal_tables internal_partitions computed_columns masked_columns hash_indexes external_data_sources external_tables remote_logins resource_stats
query_store_query_text query_store_wait_stats query_context_settings query_store_runtime_stats_interval query_store_plan_forcing_locations
persisted_sku_features column_store_row_groups column_store_segments dm_hadr_database_replica_cluster_states fulltext_indexes numbered_procedures
plan_guides server_principal_credentials server_sql_modules server_trigger_events service_queues services system_columns system_parameters
fn_xe_telemetry_blob_target_read_file fn_xe_file_target_read_file fn_listextendedproperty fn_builtin_permissions fn_servershareddrives fn_hadr_backup_is_preferred_replica`;

/** Tables of msdb. */
const msdbTables = new Set(
  (
    'backupfile backupfilegroup backupmediafamily backupmediaset logmarkhistory restorefile restorefilegroup restorehistory suspect_pages sysalerts ' +
    'syscategories sysjobactivity sysjobhistory sysjobs sysjobs_view sysjobschedules sysjobservers sysjobsteps sysjobstepslogs sysmail_account sysmail_profile ' +
    'sysmail_profileaccount sysmail_principalprofile sysmail_server sysmail_allitems sysmail_event_log sysmail_faileditems sysmail_mailitems sysmail_sentitems ' +
    'sysmail_unsentitems sysnotifications sysoperators sysproxies sysschedules syssessions systargetservers systaskids sysmaintplan_plans sysmaintplan_log ' +
    'sysmaintplan_logdetail sysmaintplan_subplans sysssispackages syspolicy_policies syspolicy_conditions log_shipping_monitor_primary ' +
    'log_shipping_monitor_secondary log_shipping_primary_databases log_shipping_primary_secondaries log_shipping_secondary log_shipping_secondary_databases'
  ).split(' '),
);

const known = new Set(catalog.split(/\s+/));

export function isKnownObject(database: string, schema: string, name: string): boolean {
  if (database === 'msdb' && schema === 'dbo' && msdbTables.has(name)) return true;
  if (schema === 'information_schema') return true;
  if (schema === 'dbo') return name.startsWith('sys') && known.has(name);
  if (schema === 'sys') return known.has(name) || /^dm_[a-z_]+$/.test(name);
  return false;
}
