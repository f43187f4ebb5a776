import type { DatabaseDescription } from './database';
import type { Random } from './random';
import { makeLocalTime } from './drawn';
import type { DistributedGroupDescription, GroupDescription, ReplicaDescription } from './landscape';
import type { Release } from './releases';
import type { Scenario, ScenarioOptions, ServerDescription } from './scenario';
import { listSystemDatabases } from './system-databases';
import { SEPARATE_VOLUMES, describeWindowsServer } from './windows-server';
import { makeBusy, makeIdle, makeLight } from './workloads';

const EAST = ['SALES-SQL01', 'SALES-SQL02', 'SALES-SQL03'] as const;
const WEST = ['SALES-DR01', 'SALES-DR02'] as const;

/** Releases that brought distributed and contained availability groups. */
const DISTRIBUTED_SINCE = 2016;
const CONTAINED_SINCE = 2022;

type Kind = 'busy' | 'light' | 'idle';
type Member = readonly [name: string, kind: Kind, targetSeconds: number];

/** The databases of Sales, which SalesDRSite holds too: five automatic, two at 60 seconds. */
const SALES: readonly Member[] = [
  ['Sales_Orders', 'busy', 0],
  ['Sales_Stock', 'busy', 0],
  ['Sales_Customers', 'light', 60],
  ['Sales_Reports', 'light', 0],
  ['Sales_Archive', 'idle', 0],
  ['Sales_Audit', 'light', 60],
  ['Sales_Import', 'light', 0],
];
/**
 * A contained group has a master and an msdb of its own. Microsoft Learn, "What is a contained availability group?".
 */
const APPS: readonly Member[] = [
  ['Apps_master', 'idle', 0],
  ['Apps_msdb', 'idle', 0],
  ['Apps_Web', 'busy', 0],
  ['Apps_Jobs', 'light', 60],
];
/** A DBA's own databases: in no group, on every server. */
const OWN: readonly Member[] = [
  ['Tools', 'light', 0],
  ['DBA', 'idle', 60],
];

const SYNCHRONOUS = {
  isSynchronous: true,
  isAutomatic: true,
  backupPriority: 50,
  sendLagMs: 1,
  redoLagMs: 350,
} as const;

/**
 * Two on one site that follow at once. A third one lags, takes no connections, lacks one database, and another is
 * suspended there.
 */
const SALES_REPLICAS: readonly ReplicaDescription[] = [
  { ...SYNCHRONOUS, server: EAST[0], readable: 'ALL' },
  { ...SYNCHRONOUS, server: EAST[1], readable: 'READ_ONLY' },
  {
    server: EAST[2],
    isSynchronous: false,
    isAutomatic: false,
    readable: 'NO',
    backupPriority: 20,
    sendLagMs: 900,
    redoLagMs: 2_600,
    notJoined: ['Sales_Import'],
    suspended: ['Sales_Archive'],
  },
];

const DR_REPLICAS: readonly ReplicaDescription[] = [
  { ...SYNCHRONOUS, server: WEST[0], readable: 'ALL' },
  { ...SYNCHRONOUS, server: WEST[1], readable: 'ALL' },
];

const GROUP = { name: 'Sales', cluster: 'CLU-EAST', isContained: false } as const;
const DISTRIBUTED: DistributedGroupDescription = {
  name: 'SalesDR',
  first: 'Sales',
  second: 'SalesDRSite',
  sendLagMs: 4_000,
};

function listGroups(release: Release): readonly GroupDescription[] {
  const names = (members: readonly Member[]): readonly string[] => members.map(([name]) => name);
  const sales: GroupDescription = {
    ...GROUP,
    replicas: SALES_REPLICAS,
    databases: names(SALES),
    listener: { dnsName: 'sales', port: 1433, ip: '10.20.1.50' },
  };
  const site: GroupDescription = {
    ...GROUP,
    name: DISTRIBUTED.second,
    cluster: 'CLU-WEST',
    replicas: DR_REPLICAS,
    databases: names(SALES),
  };
  const apps: GroupDescription = {
    ...GROUP,
    name: 'Apps',
    isContained: true,
    // Its primary is the server that has a secondary of the other group.
    replicas: [
      { ...SYNCHRONOUS, server: EAST[1], readable: 'ALL' },
      { ...SYNCHRONOUS, server: EAST[0], readable: 'ALL' },
    ],
    databases: names(APPS),
    listener: { dnsName: 'apps', port: 1433, ip: '10.20.1.51' },
  };
  return [
    sales,
    ...(release < DISTRIBUTED_SINCE ? [] : [site]),
    ...(release < CONTAINED_SINCE ? [] : [apps]),
  ];
}

/**
 * Five servers in two clusters. Three have the group Sales; the distributed group SalesDR hands its databases on to the
 * other site. Apps is a contained group. Before 2022 there is no Apps, before 2016 no other site.
 */
export function makeAvailabilityGroup(
  random: Random,
  { release = 2022, databases: wanted }: ScenarioOptions,
): Scenario {
  const groups = listGroups(release);
  const names = [...EAST, ...(release < DISTRIBUTED_SINCE ? [] : WEST)];
  const described = describeMembers(random);
  const make = (name: string, place: number): Scenario => {
    const server = describeServer(name, release);
    const members = groups.flatMap((group) =>
      group.replicas.some((each) => each.server === name) ? group.databases : [],
    );
    const chosen = [...OWN.map(([own]) => own), ...members];
    chosen.push(...listExtra(wanted, chosen.length));
    // They were restored at different times, so a database has a different id and creation date on each server.
    const databases = chosen.map((member, i) =>
      placeDatabase(
        described.get(member) ?? { ...(described.get('DBA') as DatabaseDescription), name: member },
        5 + ((i + place * 2) % chosen.length),
        place,
      ),
    );
    const notJoined = new Set(
      groups.flatMap(({ replicas }) =>
        replicas.filter((each) => each.server === name).flatMap((each) => each.notJoined ?? []),
      ),
    );
    const here = databases.map((each) =>
      notJoined.has(each.name) ? { ...each, state: 'RESTORING' as const } : each,
    );
    return {
      name: 'availability-group',
      server,
      databases: [...listSystemDatabases(server, { isClean: true }), ...here],
    };
  };
  const [own, ...others] = names.map(make) as [Scenario, ...Scenario[]];
  return {
    ...own,
    landscape: { others, groups, distributed: release < DISTRIBUTED_SINCE ? [] : [DISTRIBUTED] },
  };
}

/** Further databases, idle and in no group. @throws Error if fewer are wanted than the scenario itself has */
function listExtra(wanted: number | undefined, there: number): readonly string[] {
  if (wanted === undefined) return [];
  if (wanted < there)
    throw new Error(`availability-group has at least ${there} databases on a server, not ${wanted}`);
  return Array.from({ length: wanted - there }, (_, i) => `Local_${String(i + 1).padStart(4, '0')}`);
}

function describeServer(name: string, release: Release): ServerDescription {
  const server = describeWindowsServer({
    name,
    release,
    bufferPoolGb: 128,
    cpuCount: 16,
    utcOffsetMinutes: 60,
    upDays: 19,
    backupDirectory: 'B:\\Backup',
    volumes: SEPARATE_VOLUMES,
  });
  return { ...server, isHadrEnabled: true };
}

function describeMembers(random: Random): ReadonlyMap<string, DatabaseDescription> {
  const makers = { busy: makeBusy, light: makeLight, idle: makeIdle };
  const describe = ([name, kind, targetRecoverySeconds]: Member): DatabaseDescription => {
    const workload = makers[kind](random);
    return {
      id: 0,
      name,
      targetRecoverySeconds,
      createdLocal: makeLocalTime(2021, random),
      state: 'ONLINE',
      isReadOnly: false,
      isInStandby: false,
      recoveryModel: 'FULL',
      logReuseWait: kind === 'idle' ? { id: 0, name: 'NOTHING' } : { id: 2, name: 'LOG_BACKUP' },
      collation: 'SQL_Latin1_General_CP1_CI_AS',
      dataVolume: 'D:\\',
      logVolume: 'L:\\',
      dataMb: Math.round(workload.workingSetPages / 16) + 2_048,
      logMb: 4_096,
      vlfCount: 48,
      workload,
    };
  };
  return new Map([...SALES, ...APPS, ...OWN].map((member) => [member[0], describe(member)]));
}

function placeDatabase(database: DatabaseDescription, id: number, place: number): DatabaseDescription {
  const year = 2022 + place;
  return {
    ...database,
    id,
    createdLocal: place === 0 ? database.createdLocal : `${year}${database.createdLocal.slice(4)}`,
  };
}
