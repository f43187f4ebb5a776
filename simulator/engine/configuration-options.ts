import type { Release } from '../scenarios/releases';

/** One option of sp_configure as it was installed. */
export interface ConfigurationOption {
  readonly id: number;
  readonly name: string;
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly description: string;
  readonly isDynamic: boolean;
  readonly isAdvanced: boolean;
  /** The release that brought it, if it was none before 2014. */
  readonly since?: Release;
}

const MOST = 2_147_483_647;
// prettier-ignore
const make = (id: number, name: string, value: number, minimum: number, maximum: number, flags: 'd' | 'a' | 'da' | '', description = name): ConfigurationOption => ({
  id, name, value, minimum, maximum, description, isDynamic: flags.includes('d'), isAdvanced: flags.includes('a'),
});

export interface ConfiguredServer {
  readonly recoveryIntervalMinutes: number;
  readonly maxServerMemoryMb: number;
  readonly release: Release;
}

/** Part of the list, with SQL Server's own ids; values as someone left them years ago. Microsoft Learn, "Server configuration options", says since when. */
export function listConfigurationOptions(server: ConfiguredServer): readonly ConfigurationOption[] {
  return listAll(server).filter(({ since }) => since === undefined || since <= server.release);
}

const since = (release: Release, option: ConfigurationOption): ConfigurationOption => ({ ...option, since: release });

function listAll({ recoveryIntervalMinutes, maxServerMemoryMb }: ConfiguredServer): readonly ConfigurationOption[] {
  return [
    make(101, 'recovery interval (min)', recoveryIntervalMinutes, 0, 32767, 'da', 'Maximum recovery interval in minutes'),
    make(102, 'allow updates', 0, 0, 1, 'd', 'Allow updates to system tables'),
    make(103, 'user connections', 0, 0, 32767, 'a', 'Number of user connections allowed'),
    make(106, 'locks', 0, 5000, MOST, 'a', 'Number of locks for all users'),
    make(107, 'open objects', 0, 0, MOST, 'a', 'Number of open database objects'),
    make(109, 'fill factor (%)', 90, 0, 100, 'a', 'Default fill factor percentage'),
    make(114, 'disallow results from triggers', 0, 0, 1, 'da', 'Disallow returning results from triggers'),
    make(115, 'nested triggers', 1, 0, 1, 'd', 'Allow triggers to be invoked within triggers'),
    make(116, 'server trigger recursion', 1, 0, 1, 'd', 'Allow recursion for server level triggers'),
    make(117, 'remote access', 1, 0, 1, '', 'Allow remote access'),
    make(124, 'default language', 0, 0, 9999, 'd', 'default language'),
    make(400, 'cross db ownership chaining', 0, 0, 1, 'd', 'Allow cross db ownership chaining'),
    make(503, 'max worker threads', 0, 128, 65535, 'da', 'Maximum worker threads'),
    make(505, 'network packet size (B)', 4096, 512, 32767, 'da', 'Network packet size'),
    make(518, 'show advanced options', 1, 0, 1, 'd', 'show advanced options'),
    make(542, 'remote proc trans', 0, 0, 1, 'd', 'Create DTC transaction for remote procedures'),
    make(1126, 'default full-text language', 1033, 0, MOST, 'da', 'default full-text language'),
    make(1127, 'two digit year cutoff', 2049, 1753, 9999, 'da', 'two digit year cutoff'),
    make(1505, 'index create memory (KB)', 0, 704, MOST, 'da', 'Memory for index create sorts (kBytes)'),
    make(1517, 'priority boost', 0, 0, 1, 'a', 'Priority boost'),
    make(1519, 'remote login timeout (s)', 10, 0, MOST, 'd', 'remote login timeout'),
    make(1520, 'remote query timeout (s)', 600, 0, MOST, 'd', 'remote query timeout'),
    make(1531, 'cursor threshold', -1, -1, MOST, 'da', 'cursor threshold'),
    make(1532, 'set working set size', 0, 0, 1, 'a', 'set working set size'),
    make(1534, 'user options', 0, 0, 32767, 'd', 'user options'),
    make(1535, 'affinity mask', 0, -2_147_483_648, MOST, 'da', 'affinity mask'),
    make(1536, 'max text repl size (B)', 65536, -1, MOST, 'd', 'Maximum size of a text field in replication.'),
    make(1537, 'media retention', 0, 0, 365, 'da', 'Tape retention period in days'),
    make(1538, 'cost threshold for parallelism', 50, 0, 32767, 'da', 'cost threshold for parallelism'),
    make(1539, 'max degree of parallelism', 8, 0, 32767, 'da', 'maximum degree of parallelism'),
    make(1540, 'min memory per query (KB)', 1024, 512, MOST, 'da', 'minimum memory per query (kBytes)'),
    make(1541, 'query wait (s)', -1, -1, MOST, 'da', 'maximum time to wait for query memory (s)'),
    make(1543, 'min server memory (MB)', 16, 0, MOST, 'da', 'Minimum size of server memory (MB)'),
    make(1544, 'max server memory (MB)', maxServerMemoryMb, 128, MOST, 'da', 'Maximum size of server memory (MB)'),
    make(1545, 'query governor cost limit', 0, 0, MOST, 'da', 'Maximum estimated cost allowed by query governor'),
    make(1546, 'lightweight pooling', 0, 0, 1, 'a', 'User mode scheduler uses lightweight pooling'),
    make(1576, 'remote admin connections', 1, 0, 1, 'd', 'Dedicated Admin Connections are allowed from remote clients'),
    make(1579, 'backup compression default', 1, 0, 1, 'd', 'Enable compression of backups by default'),
    make(
      1581,
      'optimize for ad hoc workloads',
      1,
      0,
      1,
      'da',
      'When this option is set, plan cache size is further reduced for single-use adhoc OLTP workload.',
    ),
    since(2014, make(1584, 'backup checksum default', 0, 0, 1, 'd', 'Enable checksum of backups by default')),
    since(2016, make(1586, 'external scripts enabled', 0, 0, 1, 'd', 'Allows execution of external scripts')),
    since(2017, make(1587, 'clr strict security', 1, 0, 1, 'da', 'CLR strict security enabled in the server')),
    since(2019, make(1589, 'tempdb metadata memory-optimized', 0, 0, 1, 'a', 'Tempdb metadata memory-optimized is disabled by default.')),
    make(16384, 'Agent XPs', 1, 0, 1, 'da', 'Enable or disable Agent XPs'),
    make(16390, 'xp_cmdshell', 0, 0, 1, 'da', 'Enable or disable command shell'),
    make(16393, 'contained database authentication', 0, 0, 1, 'd', 'Enables contained databases and contained authentication'),
  ];
}
