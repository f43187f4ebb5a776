/** Settings, counters, waits and backups of the standalone server, and what the reads of them must say. */
import type { ViewRows } from '../modelled-server';

const CUMULATIVE = 272_696_576;
const OF_NOW = 65_792;
const manager = 'SQLServer:Buffer Manager                ';
const databases = 'SQLServer:Databases                     ';

export const FIGURE_ROWS: ViewRows = {
  'sys.configurations': [
    [101, 'recovery interval (min)', 0, 32_767, true],
    [117, 'remote access', 1, 1, false],
    [518, 'show advanced options', 1, 1, true],
    [1543, 'min server memory (MB)', 0, 16, true],
    [1544, 'max server memory (MB)', 262_144, 262_144, true],
    [1579, 'optimize for ad hoc workloads', 1, 0, true],
    [1581, 'fill factor (%)', 90, 0, false],
  ],
  'sys.dm_server_registry': [
    ['ObjectName', 'NT Service\\MSSQLSERVER'],
    ['SQLArg1', '-k60'],
    ['SQLArg0', '-dC:\\master.mdf'],
  ],
  'sys.dm_os_sys_info': [[268_435_999, 301_989_888, 900_000, 95_000]],
  'sys.dm_xe_objects': [
    ['event', 'checkpoint_begin'],
    ['event', 'buffer_pool_scan_complete'],
  ],
  'sys.all_columns': [
    [1, 'timestamp_utc'],
    [2, 'timestamp_utc'],
  ],
  'sys.messages': [
    [5084, 1033, 'Setting database option %ls to %ls'],
    [898, 1036, 'Analyse'],
    ...[833, 898, 3421, 3454, 17].map((id) => [id, 1033, `sentence ${id}`] as const),
  ],
  'sys.dm_os_performance_counters': [
    [manager, 'Checkpoint pages/sec', '', 5_000, CUMULATIVE],
    [manager, 'Background writer pages/sec', '', 0, CUMULATIVE],
    [manager, 'Page writes/sec', '', 9_000_000_000, CUMULATIVE],
    [manager, 'Lazy writes/sec', '', 77, OF_NOW],
    [manager, 'Database pages', '', 33_000, OF_NOW],
    [databases, 'Log Bytes Flushed/sec', 'Sales   ', 4_096, CUMULATIVE],
    [databases, 'Log Flushes/sec', 'Sales   ', 8, CUMULATIVE],
    // The same object, counter and instance twice: names are no key (docs/facts.md, SQL Server 6).
    [databases, 'Log Flushes/sec', 'Sales   ', 0, CUMULATIVE],
    [databases, 'Log Bytes Flushed/sec', '_Total', 9_999, CUMULATIVE],
    [databases, 'Data File(s) Size (KB)', 'Mail', 512, OF_NOW],
    [databases, 'Percent Log Used', 'Sales   ', 41, OF_NOW],
    [databases, 'Percent Log Used', 'Mail', 63, OF_NOW],
    [databases, 'Percent Log Used', 'tempdb', 90, OF_NOW],
    [databases, 'Percent Log Used', '_Total', 99, OF_NOW],
    [databases, 'Log Flushes/sec', 'Sales   ', 999, OF_NOW],
    [databases, 'Log Growths', 'Sales   ', 5, CUMULATIVE],
    ...['Log Flushes/sec', 'Percent Log Used', 'Page writes/sec'].map(
      (name) => ['SQLServer:Locks', name, 'Mail', 98, CUMULATIVE] as const,
    ),
  ],
  'sys.dm_os_spinlock_stats': [
    ['LOCK_HASH', 9_000],
    ['DP_LIST', 12],
  ],
  'sys.dm_os_wait_stats': [
    ['WRITELOG', 100, 250],
    ['PAGEIOLATCH_SH', 7, 70],
    ['PAGEIOLATCH_EX', 3, 30],
    ['PAGEIOLATCHES', 1, 1],
    ['LCK_M_X', 5, 4_000],
    ['CHECKPOINT_QUEUE', 40, 900_000],
  ],
  'sys.dm_os_waiting_tasks': [
    ['CHECKPOINT_QUEUE', 12_000],
    ['LCK_M_X', 3_000],
  ],
  'dbo.sysmanagement_shared_server_groups': [
    [1, 'DatabaseEngineServerGroup', 0, null],
    [2, 'AnalysisServicesServerGroup', 1, null],
    [6, 'Production', 0, 1],
    [7, 'East', 0, 6],
  ],
  'dbo.sysmanagement_shared_registered_servers': [
    [2, 7, 'PROD 2', 'SQL02\\INST'],
    [1, 1, 'outside', 'SQL00'],
    [3, 2, 'CUBES', 'SQL04'],
  ],
  'dbo.backupset': [
    ['Sales', 'D', '2026-03-01T01:00:00', '2026-03-01T02:30:00', 4, 1_048_576, false, 'STANDALONE'],
    ['Sales', 'L', '2026-03-01T03:00:00', '2026-03-01T03:00:10', 127, 1_048_576, true, 'STANDALONE'],
    ['Sales', 'I', '2026-03-01T05:00:00', '2026-03-01T05:10:00', 4, 1_048_576, false, 'STANDALONE'],
    ['Mail', 'I', '2026-02-28T01:00:00', '2026-02-28T01:10:00', 4, 1_048_576, false, 'ELSEWHERE'],
    ['Mail', 'F', '2026-02-27T01:00:00', '2026-02-27T01:10:00', 4, 1_048_576, false, 'STANDALONE'],
  ],
};

export const EXPECTED_OF_FIGURES: Readonly<Record<string, readonly string[]>> = {
  serverFacts: [
    'STANDALONE|15.0.4322.2|RTM|Enterprise Edition (64-bit)|3|0|0|\\|dba|2026-03-02T08:00:00.1230000|60|2026-02-18T04:00:00.123|0|1|~|0|~|~|~|~|~|~',
  ],
  serverSettings: [
    'recovery interval (min)|0|32767|1|1',
    'show advanced options|1|1|1|0',
    'min server memory (MB)|0|16|1|0',
    'optimize for ad hoc workloads|1|0|1|1',
    'fill factor (%)|90|0|0|1',
  ],
  startupOptions: ['-dC:\\master.mdf', '-k60'],
  serverState: ['262144|294912|1|1'],
  serverClock: ['STANDALONE|2026-03-02T08:00:00.1230000|60'],
  logUsed: ['Mail|63', 'Sales|41'],
  dirtyPageSpinlock: ['12'],
  messageTemplates: [
    '833|1033|sentence 833',
    '898|1033|sentence 898',
    '898|1036|Analyse',
    '3421|1033|sentence 3421',
    '3454|1033|sentence 3454',
    '5084|1033|Setting database option %ls to %ls',
  ],
  instanceWork: [
    'STANDALONE|2026-03-02T08:00:00.1230000|900000|95000|5000|0|~|9000000000|33000|100|250|40|912000|~|10|100|904351',
  ],
  databaseCounters: ['STANDALONE|2026-03-02T08:00:00.1230000|900000|95000|Sales|4096|8|~'],
  centralServers: [
    '1|~|DatabaseEngineServerGroup|outside|SQL00',
    '6|1|Production|~|~',
    '7|6|East|PROD 2|SQL02\\INST',
  ],
  backups: [
    'Sales|I|2026-03-01T05:00:00|2026-03-01T05:10:00|4|1048576|0|1',
    'Sales|L|2026-03-01T03:00:00|2026-03-01T03:00:10|127|1048576|1|1',
    'Sales|D|2026-03-01T01:00:00|2026-03-01T02:30:00|4|1048576|0|1',
    'Mail|I|2026-02-28T01:00:00|2026-02-28T01:10:00|4|1048576|0|0',
  ],
  utcOffsets: ['4|2026-03-01T01:00:00|2026-03-01T05:00:00', '4|2026-02-27T01:00:00|2026-02-27T01:00:00'],
};
