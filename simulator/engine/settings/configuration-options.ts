import type { Release } from '../../scenarios/releases';

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
  /** The release that brought it, if later than 2014. */
  readonly since?: Release;
  /** The server raises a smaller value to this. Then value and value in use differ although no change waits. */
  readonly leastInUse?: number;
}

const MOST = 2_147_483_647;
const LEAST = -2_147_483_648;
// oxfmt-ignore
const make = (id: number, name: string, value: number, minimum: number, maximum: number, flags: 'd' | 'a' | 'da' | '', description = name): ConfigurationOption => ({
  id, name, value, minimum, maximum, description, isDynamic: flags.includes('d'), isAdvanced: flags.includes('a'),
});

export interface ConfiguredServer {
  readonly recoveryIntervalMinutes: number;
  readonly maxServerMemoryMb: number;
  readonly release: Release;
}

/**
 * All options, with SQL Server's own ids, except those new in 2025 and the two parts of a version; values as someone left them years ago.
 * Microsoft Learn, "Server configuration options", says since when each exists.
 */
export function listConfigurationOptions(server: ConfiguredServer): readonly ConfigurationOption[] {
  return listAll(server).filter(({ since }) => since === undefined || since <= server.release);
}

const since = (release: Release, option: ConfigurationOption): ConfigurationOption => ({ ...option, since: release });

/** Options that no scenario sets. */
const INSTALLED: readonly ConfigurationOption[] = [
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
  make(544, 'c2 audit mode', 0, 0, 1, 'a'),
  make(1126, 'default full-text language', 1033, 0, MOST, 'da', 'default full-text language'),
  make(1127, 'two digit year cutoff', 2049, 1753, 9999, 'da', 'two digit year cutoff'),
  make(1505, 'index create memory (KB)', 0, 704, MOST, 'da', 'Memory for index create sorts (kBytes)'),
  make(1517, 'priority boost', 0, 0, 1, 'a', 'Priority boost'),
  make(1519, 'remote login timeout (s)', 10, 0, MOST, 'd', 'remote login timeout'),
  make(1520, 'remote query timeout (s)', 600, 0, MOST, 'd', 'remote query timeout'),
  make(1531, 'cursor threshold', -1, -1, MOST, 'da', 'cursor threshold'),
  make(1532, 'set working set size', 0, 0, 1, 'a', 'set working set size'),
  make(1534, 'user options', 0, 0, 32767, 'd', 'user options'),
  make(1535, 'affinity mask', 0, LEAST, MOST, 'da', 'affinity mask'),
  make(1536, 'max text repl size (B)', 65536, -1, MOST, 'd', 'Maximum size of a text field in replication.'),
  make(1537, 'media retention', 0, 0, 365, 'da', 'Tape retention period in days'),
  make(1538, 'cost threshold for parallelism', 50, 0, 32767, 'da', 'cost threshold for parallelism'),
  make(1539, 'max degree of parallelism', 8, 0, 32767, 'da', 'maximum degree of parallelism'),
  make(1540, 'min memory per query (KB)', 1024, 512, MOST, 'da', 'minimum memory per query (kBytes)'),
  make(1541, 'query wait (s)', -1, -1, MOST, 'da', 'maximum time to wait for query memory (s)'),
  // docs/facts.md, SQL Server 6: read on 2025, assumed the same before.
  { ...make(1543, 'min server memory (MB)', 0, 0, MOST, 'da', 'Minimum size of server memory (MB)'), leastInUse: 16 },
  make(1545, 'query governor cost limit', 0, 0, MOST, 'da', 'Maximum estimated cost allowed by query governor'),
  make(1546, 'lightweight pooling', 0, 0, 1, 'a', 'User mode scheduler uses lightweight pooling'),
  make(1547, 'scan for startup procs', 0, 0, 1, 'a', 'scan for startup stored procedures'),
  make(1549, 'affinity64 mask', 0, LEAST, MOST, 'da'),
  make(1550, 'affinity I/O mask', 0, LEAST, MOST, 'a'),
  make(1551, 'affinity64 I/O mask', 0, LEAST, MOST, 'a'),
  make(1555, 'transform noise words', 0, 0, 1, 'da', 'Transform noise words for full-text query'),
  make(1556, 'precompute rank', 0, 0, 1, 'da', 'Use precomputed rank for full-text query'),
  make(1557, 'PH timeout (s)', 60, 1, 3600, 'da', 'DB connection timeout for full-text protocol handler (s)'),
  make(1562, 'clr enabled', 0, 0, 1, 'd', 'CLR user code execution enabled in the server'),
  make(1563, 'max full-text crawl range', 4, 0, 256, 'da', 'Maximum  crawl ranges allowed in full-text indexing'),
  make(1564, 'ft notify bandwidth (min)', 0, 0, 32767, 'da', 'Number of reserved full-text notifications buffers'),
  make(1565, 'ft notify bandwidth (max)', 100, 0, 32767, 'da', 'Max number of full-text notifications buffers'),
  make(1566, 'ft crawl bandwidth (min)', 0, 0, 32767, 'da', 'Number of reserved full-text crawl buffers'),
  make(1567, 'ft crawl bandwidth (max)', 100, 0, 32767, 'da', 'Max number of full-text crawl buffers'),
  make(1568, 'default trace enabled', 1, 0, 1, 'da', 'Enable or disable the default trace'),
  make(1569, 'blocked process threshold (s)', 0, 0, 86400, 'da', 'Blocked process reporting threshold'),
  make(1570, 'in-doubt xact resolution', 0, 0, 2, 'da', 'Recovery policy for DTC transactions with unknown outcome'),
  make(1576, 'remote admin connections', 1, 0, 1, 'd', 'Dedicated Admin Connections are allowed from remote clients'),
  make(1577, 'common criteria compliance enabled', 0, 0, 1, 'a', 'Common Criteria compliance mode enabled'),
  make(1578, 'EKM provider enabled', 0, 0, 1, 'da', 'Enable or disable EKM provider'),
  make(1579, 'backup compression default', 1, 0, 1, 'd', 'Enable compression of backups by default'),
  make(1580, 'filestream access level', 0, 0, 2, 'd', 'Sets the FILESTREAM access level'),
  make(
    1581,
    'optimize for ad hoc workloads',
    1,
    0,
    1,
    'da',
    'When this option is set, plan cache size is further reduced for single-use adhoc OLTP workload.',
  ),
  make(1582, 'access check cache bucket count', 0, 0, 65536, 'da', 'Default hash bucket count for the access check result security cache'),
  make(1583, 'access check cache quota', 0, 0, MOST, 'da', 'Default quota for the access check result security cache'),
  since(2014, make(1584, 'backup checksum default', 0, 0, 1, 'd', 'Enable checksum of backups by default')),
  since(2016, make(1585, 'automatic soft-NUMA disabled', 0, 0, 1, 'a', 'Automatic soft-NUMA is enabled by default')),
  since(2016, make(1586, 'external scripts enabled', 0, 0, 1, 'd', 'Allows execution of external scripts')),
  since(2017, make(1587, 'clr strict security', 1, 0, 1, 'da', 'CLR strict security enabled in the server')),
  since(2019, make(1588, 'column encryption enclave type', 0, 0, 2, '', 'Type of enclave used for computations on encrypted columns')),
  since(2019, make(1589, 'tempdb metadata memory-optimized', 0, 0, 1, 'a', 'Tempdb metadata memory-optimized is disabled by default.')),
  since(2019, make(1591, 'ADR cleaner retry timeout (min)', 15, 0, 32767, 'da', 'ADR cleaner retry timeout.')),
  since(2019, make(1592, 'ADR Preallocation Factor', 4, 0, 32767, 'da', 'ADR Preallocation Factor.')),
  since(2022, make(1598, 'ADR Cleaner Thread Count', 1, 1, 32767, 'da', 'Max number of threads ADR cleaner can assign.')),
  since(2022, make(1599, 'hardware offload enabled', 0, 0, 1, 'a', 'Enable hardware offloading on the server')),
  since(2022, make(1600, 'hardware offload config', 0, 0, 255, 'a', 'Configure hardware offload accelerator')),
  since(2022, make(1601, 'hardware offload mode', 0, 0, 255, 'a', 'Configure hardware offload accelerator mode')),
  since(2022, make(1602, 'backup compression algorithm', 0, 0, 3, 'd', 'Configure default backup compression algorithm')),
  make(16384, 'Agent XPs', 1, 0, 1, 'da', 'Enable or disable Agent XPs'),
  make(16386, 'Database Mail XPs', 1, 0, 1, 'da', 'Enable or disable Database Mail XPs'),
  make(16387, 'SMO and DMO XPs', 1, 0, 1, 'da', 'Enable or disable SMO and DMO XPs'),
  make(16388, 'Ole Automation Procedures', 0, 0, 1, 'da', 'Enable or disable Ole Automation Procedures'),
  make(16390, 'xp_cmdshell', 0, 0, 1, 'da', 'Enable or disable command shell'),
  make(16391, 'Ad Hoc Distributed Queries', 0, 0, 1, 'da', 'Enable or disable Ad Hoc Distributed Queries'),
  make(16392, 'Replication XPs', 0, 0, 1, 'da', 'Enable or disable Replication XPs'),
  make(16393, 'contained database authentication', 0, 0, 1, 'd', 'Enables contained databases and contained authentication'),
  since(
    2016,
    make(
      16394,
      'hadoop connectivity',
      0,
      0,
      8,
      'd',
      'Configure SQL Server to connect to external Hadoop or Microsoft Azure storage blob data sources through PolyBase',
    ),
  ),
  since(
    2016,
    make(
      16395,
      'polybase network encryption',
      1,
      0,
      1,
      'd',
      'Configure SQL Server to encrypt control and data channels when using PolyBase',
    ),
  ),
  since(2016, make(16396, 'remote data archive', 0, 0, 1, 'd', 'Allow the use of the REMOTE_DATA_ARCHIVE data access for databases')),
  since(2016, make(16397, 'allow polybase export', 0, 0, 1, 'd', 'Allows writing into an external table using PolyBase')),
  since(2019, make(16398, 'allow filesystem enumeration', 1, 0, 1, 'da', 'Allow enumeration of filesystem')),
  since(2019, make(16399, 'polybase enabled', 0, 0, 1, 'd', 'Configure SQL Server to connect to external data sources through PolyBase')),
  since(
    2022,
    make(
      16400,
      'suppress recovery model errors',
      0,
      0,
      1,
      'da',
      'Return warning instead of error for unsupported ALTER DATABASE SET RECOVERY command',
    ),
  ),
  since(
    2022,
    make(16401, 'openrowset auto_create_statistics', 1, 0, 1, 'da', 'Enable or disable auto create statistics for openrowset sources.'),
  ),
];

function listAll({ recoveryIntervalMinutes, maxServerMemoryMb }: ConfiguredServer): readonly ConfigurationOption[] {
  return [
    make(101, 'recovery interval (min)', recoveryIntervalMinutes, 0, 32767, 'da', 'Maximum recovery interval in minutes'),
    make(1544, 'max server memory (MB)', maxServerMemoryMb, 128, MOST, 'da', 'Maximum size of server memory (MB)'),
    ...INSTALLED,
  ].sort((a, b) => a.id - b.id);
}
