import type { Release } from './releases';
import type { ServerDescription } from './scenario';

/** The end of @@VERSION: the operating system below an instance. */
const LINUX = 'Linux (Ubuntu 22.04.4 LTS) <X64>';

const onWindows = (name: string, build: number): string => `${name} <X64> (Build ${build}: ) (Hypervisor)`;

/** The Windows of each release, one of the same years: the model's choice. */
const WINDOWS: Readonly<Record<Release, string>> = {
  2012: onWindows('Windows NT 6.3', 9600),
  2014: onWindows('Windows NT 6.3', 9600),
  2016: onWindows('Windows Server 2016 Datacenter 10.0', 14393),
  2017: onWindows('Windows Server 2016 Datacenter 10.0', 14393),
  2019: onWindows('Windows Server 2016 Datacenter 10.0', 14393),
  2022: onWindows('Windows Server 2022 Datacenter 10.0', 20348),
  2025: onWindows('Windows Server 2022 Datacenter 10.0', 20348),
};

/** Compile dates of the builds of releases.ts, from published texts of @@VERSION; not compared with Microsoft's own. */
const COMPILED: Readonly<Record<Release, string>> = {
  2012: 'Aug 15 2017 10:23:29',
  2014: 'Jul 20 2019 21:42:29',
  2016: 'Aug  7 2021 01:20:37',
  2017: 'Sep  2 2022 11:01:50',
  2019: 'Jun 10 2024 18:00:07',
  2022: 'Jul 10 2024 14:09:09',
  2025: 'Oct 21 2025 12:05:57',
};

/**
 * @@VERSION in the shape of published ones: Microsoft SQL Server 2019 (RTM-CU27) (KB5037331) - 15.0.4375.4 (X64)
 * \n\tdate \n\tCopyright (C) 2019 Microsoft Corporation\n\tedition on system\n
 */
export function makeVersionText(server: ServerDescription): string {
  const { build, release, platform } = server;
  const version = build.version.join('.');
  const copyright =
    release < 2017 ? 'Copyright (c) Microsoft Corporation' : `Copyright (C) ${release} Microsoft Corporation`;
  if (platform === 'azure-sql-database' || platform === 'managed-instance')
    return `Microsoft SQL Azure (RTM) - ${version} \n\t${COMPILED[release]} \n\t${copyright}\n`;
  const update = build.updateLevel === null ? build.level : `${build.level}-${build.updateLevel}`;
  const reference = build.updateReference === null ? '' : ` (${build.updateReference})`;
  const system = platform === 'linux' ? LINUX : WINDOWS[release];
  return `Microsoft SQL Server ${release} (${update})${reference} - ${version} (X64) \n\t${COMPILED[release]} \n\t${copyright}\n\t${server.edition} on ${system}${platform === 'linux' ? '' : '\n'}`;
}
