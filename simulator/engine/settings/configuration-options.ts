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
