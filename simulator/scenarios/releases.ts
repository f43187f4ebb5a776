/** A release of SQL Server by the year in its name; 2012 is major version 11, 2025 is 17. */
export type Release = 2012 | 2014 | 2016 | 2017 | 2019 | 2022 | 2025;

export interface Build {
  readonly version: readonly [major: number, minor: number, build: number, revision: number];
  /** SERVERPROPERTY('ProductLevel'). */
  readonly level: string;
  /** SERVERPROPERTY('ProductUpdateLevel') and 'ProductUpdateReference'; null if the build is no cumulative update. */
  readonly updateLevel: string | null;
  readonly updateReference: string | null;
}

/** One well-patched build of each release. Microsoft Learn, "Latest updates and version history for SQL Server". */
export const BUILDS: Readonly<Record<Release, Build>> = {
  2012: { version: [11, 0, 7001, 0], level: 'SP4', updateLevel: null, updateReference: 'KB4018073' },
  2014: { version: [12, 0, 6329, 1], level: 'SP3', updateLevel: 'CU4', updateReference: 'KB4500181' },
  2016: { version: [13, 0, 6300, 2], level: 'SP3', updateLevel: null, updateReference: 'KB5003279' },
  2017: { version: [14, 0, 3456, 2], level: 'RTM', updateLevel: 'CU31', updateReference: 'KB5016884' },
  2019: { version: [15, 0, 4375, 4], level: 'RTM', updateLevel: 'CU27', updateReference: 'KB5037331' },
  2022: { version: [16, 0, 4135, 4], level: 'RTM', updateLevel: 'CU14', updateReference: 'KB5038325' },
  2025: { version: [17, 0, 1000, 7], level: 'RTM', updateLevel: null, updateReference: null },
};

/** @throws RangeError with one sentence if a platform never had the release */
export function requireRelease(
  scenario: string,
  release: Release,
  first: Release,
  last: Release = 2025,
): Release {
  if (release < first || release > last)
    throw new RangeError(`${scenario} is of a release from ${first} to ${last}, not ${release}`);
  return release;
}

export const RELEASES: readonly Release[] = [2012, 2014, 2016, 2017, 2019, 2022, 2025];

export function isRelease(year: number): year is Release {
  return RELEASES.some((release) => release === year);
}
