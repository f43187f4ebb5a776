/** One option of sp_configure as it was installed. */
export interface ConfigurationOption {
  readonly id: number;
  readonly name: string;
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly isDynamic: boolean;
  readonly isAdvanced: boolean;
  /** The server raises a smaller value to this. Then value and value in use differ although no change waits. */
  readonly leastInUse?: number;
}

const MOST = 2_147_483_647;
// oxfmt-ignore
const make = (id: number, name: string, value: number, minimum: number, maximum: number, flags: 'd' | 'a' | 'da' | ''): ConfigurationOption => ({
  id, name, value, minimum, maximum, isDynamic: flags.includes('d'), isAdvanced: flags.includes('a'),
});

export interface ConfiguredServer {
  readonly recoveryIntervalMinutes: number;
  readonly maxServerMemoryMb: number;
}

/**
 * The options that something here reads or sets, with SQL Server's own ids; values as someone left them years ago.
 * Microsoft Learn, "Server configuration options".
 */
export function listConfigurationOptions({
  recoveryIntervalMinutes,
  maxServerMemoryMb,
}: ConfiguredServer): readonly ConfigurationOption[] {
  return [
    make(101, 'recovery interval (min)', recoveryIntervalMinutes, 0, 32767, 'da'),
    make(103, 'user connections', 0, 0, 32767, 'a'),
    make(106, 'locks', 0, 5000, MOST, 'a'),
    make(117, 'remote access', 1, 0, 1, ''),
    make(518, 'show advanced options', 1, 0, 1, 'd'),
    make(1538, 'cost threshold for parallelism', 50, 0, 32767, 'da'),
    make(1539, 'max degree of parallelism', 8, 0, 32767, 'da'),
    // docs/facts.md, SQL Server 6: read on 2025, assumed the same before.
    { ...make(1543, 'min server memory (MB)', 0, 0, MOST, 'da'), leastInUse: 16 },
    make(1544, 'max server memory (MB)', maxServerMemoryMb, 128, MOST, 'da'),
  ];
}

/** The names of other options, each since its release: none of them is modelled. */
export const OTHER_OPTIONS: readonly string[] =
  `allow updates, open objects, fill factor (%), disallow results from triggers, nested triggers,
server trigger recursion, default language, cross db ownership chaining, max worker threads, network packet size (B),
remote proc trans, c2 audit mode, default full-text language, two digit year cutoff, index create memory (KB),
priority boost, remote login timeout (s), remote query timeout (s), cursor threshold, set working set size,
user options, affinity mask, max text repl size (B), media retention, min memory per query (KB), query wait (s),
query governor cost limit, lightweight pooling, scan for startup procs, affinity64 mask, affinity I/O mask,
affinity64 I/O mask, transform noise words, precompute rank, PH timeout (s), clr enabled, max full-text crawl range,
ft notify bandwidth (min), ft notify bandwidth (max), ft crawl bandwidth (min), ft crawl bandwidth (max),
default trace enabled, blocked process threshold (s), in-doubt xact resolution, remote admin connections,
common criteria compliance enabled, EKM provider enabled, backup compression default, filestream access level,
optimize for ad hoc workloads, access check cache bucket count, access check cache quota, backup checksum default,
automatic soft-NUMA disabled, external scripts enabled, clr strict security, column encryption enclave type,
tempdb metadata memory-optimized, ADR cleaner retry timeout (min), ADR Preallocation Factor, ADR Cleaner Thread Count,
hardware offload enabled, hardware offload config, hardware offload mode, backup compression algorithm, Agent XPs,
Database Mail XPs, SMO and DMO XPs, Ole Automation Procedures, xp_cmdshell, Ad Hoc Distributed Queries,
Replication XPs, contained database authentication, hadoop connectivity, polybase network encryption,
remote data archive, allow polybase export, allow filesystem enumeration, polybase enabled,
suppress recovery model errors, openrowset auto_create_statistics`.split(/,\s+/);
