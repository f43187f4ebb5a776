/** Settings, counters, waits and backups of the standalone server, and what the reads of them must say. */
import type { Row } from '../modelled-server';

const cumulative = 272_696_576;
const manager = 'SQLServer:Buffer Manager                ';
const databases = 'SQLServer:Databases                     ';
const counter = (object: string, name: string, instance: string, value: number, type = cumulative): Row => ({
  object_name: object,
  counter_name: name,
  instance_name: instance,
  cntr_value: value,
  cntr_type: type,
});
const wait = (type: string, tasks: number, ms: number): Row => ({ wait_type: type, waiting_tasks_count: tasks, wait_time_ms: ms });
const setting = (id: number, name: string, value: number, inUse: number, isDynamic = 1): Row => ({
  configuration_id: id,
  name,
  value,
  value_in_use: inUse,
  is_dynamic: isDynamic,
});
const backup = (name: string, type: string, begin: string, end: string, more: Row = {}): Row => ({
  database_name: name,
  type,
  backup_start_date: begin,
  backup_finish_date: end,
  time_zone: 4,
  backup_size: 1_048_576,
  is_snapshot: 0,
  server_name: 'STANDALONE',
  ...more,
});
const message = (id: number, language: number, words: string): Row => ({ message_id: id, language_id: language, text: words });

export const FIGURE_ROWS: Readonly<Record<string, readonly Row[]>> = {
  'model.permissions': [
    { permission: 'VIEW SERVER STATE', is_held: 1 },
    { permission: 'ALTER ANY EVENT SESSION', is_held: 0 },
  ],
  'sys.configurations': [
    setting(101, 'recovery interval (min)', 0, 32_767),
    setting(117, 'remote access', 1, 1, 0),
    setting(518, 'show advanced options', 1, 1),
    setting(1543, 'min server memory (MB)', 0, 16),
    setting(1544, 'max server memory (MB)', 262_144, 262_144),
    setting(1579, 'optimize for ad hoc workloads', 1, 0),
    setting(1581, 'fill factor (%)', 90, 0, 0),
  ],
  'sys.dm_server_registry': [
    { value_name: 'ObjectName', value_data: 'NT Service\\MSSQLSERVER' },
    { value_name: 'SQLArg1', value_data: '-k60' },
    { value_name: 'SQLArg0', value_data: '-dC:\\master.mdf' },
  ],
  'sys.dm_os_host_info': [{ host_platform: 'Windows', host_distribution: 'Windows Server 2019', host_release: '10.0' }],
  'sys.dm_os_sys_info': [
    { committed_target_kb: 268_435_999, physical_memory_kb: 301_989_888, ms_ticks: 900_000, sqlserver_start_time_ms_ticks: 95_000 },
  ],
  'sys.dm_xe_objects': [
    { object_type: 'event', name: 'checkpoint_begin' },
    { object_type: 'event', name: 'buffer_pool_scan_complete' },
  ],
  'sys.all_columns': [
    { object_id: 1, name: 'timestamp_utc' },
    { object_id: 2, name: 'timestamp_utc' },
  ],
  'sys.messages': [message(5084, 1033, 'Setting database option %ls to %ls'), message(898, 1036, 'Analyse'), message(17, 1033, 'not ours')],
  'sys.dm_os_performance_counters': [
    counter(manager, 'Checkpoint pages/sec', '', 5_000),
    counter(manager, 'Background writer pages/sec', '', 0),
    counter(manager, 'Page writes/sec', '', 9_000_000_000),
    counter(manager, 'Lazy writes/sec', '', 77, 65_792),
    counter(manager, 'Database pages', '', 33_000, 65_792),
    counter(databases, 'Log Bytes Flushed/sec', 'Sales   ', 4_096),
    counter(databases, 'Log Flushes/sec', 'Sales   ', 8),
    // The same object, counter and instance twice: names are no key (docs/facts.md, SQL Server 6).
    counter(databases, 'Log Flushes/sec', 'Sales   ', 0),
    counter(databases, 'Log Bytes Flushed/sec', '_Total', 9_999),
    counter(databases, 'Data File(s) Size (KB)', 'Mail', 512, 65_792),
    counter(databases, 'Percent Log Used', 'Sales   ', 41, 65_792),
    counter(databases, 'Percent Log Used', 'Mail', 63, 65_792),
    counter(databases, 'Percent Log Used', 'tempdb', 90, 65_792),
    counter(databases, 'Percent Log Used', '_Total', 99, 65_792),
    counter('SQLServer:Locks', 'Log Flushes/sec', 'Mail', 3),
  ],
  'sys.dm_os_spinlock_stats': [
    { name: 'LOCK_HASH', backoffs: 9_000 },
    { name: 'DP_LIST', backoffs: 12 },
  ],
  'sys.dm_os_wait_stats': [
    wait('WRITELOG', 100, 250),
    wait('PAGEIOLATCH_SH', 7, 70),
    wait('PAGEIOLATCH_EX', 3, 30),
    wait('PAGEIOLATCHES', 1, 1),
    wait('LCK_M_X', 5, 4_000),
  ],
  'msdb.dbo.sysmanagement_shared_server_groups': [
    { server_group_id: 1, name: 'DatabaseEngineServerGroup', server_type: 0, parent_id: null },
    { server_group_id: 2, name: 'AnalysisServicesServerGroup', server_type: 1, parent_id: null },
    { server_group_id: 6, name: 'Production', server_type: 0, parent_id: 1 },
    { server_group_id: 7, name: 'East', server_type: 0, parent_id: 6 },
  ],
  'msdb.dbo.sysmanagement_shared_registered_servers': [
    { server_id: 2, server_group_id: 7, name: 'PROD 2', server_name: 'SQL02\\INST' },
    { server_id: 1, server_group_id: 1, name: 'outside', server_name: 'SQL00' },
    { server_id: 3, server_group_id: 2, name: 'CUBES', server_name: 'SQL04' },
  ],
  'msdb.dbo.backupset': [
    backup('Sales', 'D', '2026-03-01T01:00:00', '2026-03-01T02:30:00'),
    backup('Sales', 'L', '2026-03-01T03:00:00', '2026-03-01T03:00:10', { time_zone: 127, is_snapshot: 1 }),
    backup('Mail', 'I', '2026-02-28T01:00:00', '2026-02-28T01:10:00', { server_name: 'ELSEWHERE' }),
    backup('Mail', 'F', '2026-02-27T01:00:00', '2026-02-27T01:10:00'),
  ],
};

export const EXPECTED_OF_FIGURES: Readonly<Record<string, readonly string[]>> = {
  serverFacts: [
    'STANDALONE|15.0.4322.2|RTM|Enterprise Edition (64-bit)|3|0|0|\\|dba|2026-03-02T08:00:00.123|60|2026-02-18T04:00:00.123|0|1|~|0|~|~|~|~|~|~',
  ],
  serverSettings: [
    'recovery interval (min)|0|32767|1|1',
    'show advanced options|1|1|1|0',
    'min server memory (MB)|0|16|1|0',
    'optimize for ad hoc workloads|1|0|1|1',
    'fill factor (%)|90|0|0|1',
  ],
  startupOptions: ['-dC:\\master.mdf', '-k60'],
  serverHost: ['Windows|Windows Server 2019|10.0'],
  serverState: ['262144|294912|1|1'],
  serverClock: ['STANDALONE|2026-03-02T08:00:00.123|60'],
  logUsed: ['Mail|63'],
  dirtyPageSpinlock: ['12'],
  messageTemplates: ['898|1036|Analyse', '5084|1033|Setting database option %ls to %ls'],
  instanceWork: ['STANDALONE|2026-03-02T08:00:00.123|900000|95000|5000|0|~|9000000000|33000|100|250|~|~|10|100|4351'],
  databaseCounters: ['STANDALONE|2026-03-02T08:00:00.123|900000|95000|Sales|4096|8|~'],
  centralServers: ['1|~|DatabaseEngineServerGroup|outside|SQL00', '6|1|Production|~|~', '7|6|East|PROD 2|SQL02\\INST'],
  backups: [
    'Sales|L|2026-03-01T03:00:00|2026-03-01T03:00:10|127|1048576|1|1',
    'Sales|D|2026-03-01T01:00:00|2026-03-01T02:30:00|4|1048576|0|1',
    'Mail|I|2026-02-28T01:00:00|2026-02-28T01:10:00|4|1048576|0|0',
  ],
  utcOffsets: ['4|2026-03-01T01:00:00|2026-03-01T01:00:00', '4|2026-02-27T01:00:00|2026-02-27T01:00:00'],
};
