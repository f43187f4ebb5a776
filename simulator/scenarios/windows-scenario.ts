import { describeDatabases, scaleMix, type DatabaseMix, type Placement } from './described-databases';
import type { Release } from './releases';
import type { MakeScenario } from './scenario';
import { listSystemDatabases } from './system-databases';
import { describeWindowsServer } from './windows-server';

interface WindowsScenario {
  readonly name: string;
  /** By default. */
  readonly release: Release;
  readonly mix: DatabaseMix;
  readonly placement: Placement;
  readonly server: Omit<Parameters<typeof describeWindowsServer>[0], 'release'>;
  readonly system?: Parameters<typeof listSystemDatabases>[1];
}

/** One server on Windows, and databases drawn at random. */
export const windowsScenario =
  ({ name, release: usual, mix, placement, server: own, system }: WindowsScenario): MakeScenario =>
  (random, { release = usual, databases }) => {
    const server = describeWindowsServer({ ...own, release });
    const described = describeDatabases(scaleMix(mix, databases), placement, server, random);
    return { name, server, databases: [...listSystemDatabases(server, system), ...described] };
  };
