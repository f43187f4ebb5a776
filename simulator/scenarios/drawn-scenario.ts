import type { DatabaseDescription } from './database';
import { describeDatabases, scaleMix, type DatabaseMix, type Placement } from './described-databases';
import { requireRelease, type Release } from './releases';
import type { MakeScenario, ServerDescription } from './scenario';
import { listSystemDatabases } from './system-databases';
import { describeWindowsServer } from './windows-server';

interface DrawnScenario {
  readonly name: string;
  /** By default. */
  readonly release: Release;
  /** Those that its platform had; all where nothing is said. */
  readonly releases?: readonly [first: Release, last: Release];
  readonly mix: DatabaseMix;
  readonly placement: Placement;
  readonly describe: (release: Release) => ServerDescription;
  readonly system?: Parameters<typeof listSystemDatabases>[1];
  /** The databases of its platform, of those that every server has and those that were drawn. */
  readonly arrange?: (
    system: readonly DatabaseDescription[],
    drawn: readonly DatabaseDescription[],
  ) => readonly DatabaseDescription[];
}

/** One server, and databases drawn at random. @throws RangeError for a release that it never had */
export const drawnScenario =
  ({ name, release: usual, releases = [2012, 2025], arrange, ...given }: DrawnScenario): MakeScenario =>
  (random, { release = usual, databases }) => {
    const server = given.describe(requireRelease(name, release, ...releases));
    const system = listSystemDatabases(server, given.system);
    const drawn = describeDatabases(scaleMix(given.mix, databases), given.placement, server, random);
    return { name, server, databases: arrange?.(system, drawn) ?? [...system, ...drawn] };
  };

interface WindowsScenario extends Omit<DrawnScenario, 'describe' | 'releases' | 'arrange'> {
  readonly server: Omit<Parameters<typeof describeWindowsServer>[0], 'release'>;
}

/** The same on Windows. */
export const windowsScenario = ({ server, ...scenario }: WindowsScenario): MakeScenario =>
  drawnScenario({ ...scenario, describe: (release) => describeWindowsServer({ ...server, release }) });
