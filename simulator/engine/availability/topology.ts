import type {
  DistributedGroupDescription,
  GroupDescription,
  ReplicaDescription,
} from '../../scenarios/landscape';
import type { LandscapeDescription, Scenario } from '../../scenarios/scenario';
import type { Agenda } from '../time/agenda';
import type { DatabaseDescription } from '../../scenarios/database';
import type { Checkpointer } from '../checkpoints/checkpointer';
import { foldName, type Database, type Databases } from '../databases/databases';
import type { ErrorLog } from '../error-log/error-log';
import { LogStorms } from '../databases/log-storms';
import { createRandom, type Random } from '../../scenarios/random';
import { createLogMeter } from '../databases/workload';
import type { DatabaseWork } from '../databases/write-work';
import { DatabaseCopy, type Group, type GroupDatabase, type Replica } from './group';
import { SharedLog } from './shared-log';

/** What availability groups need from a server that hosts replicas. */
export interface ReplicaHost {
  readonly scenario: Scenario;
  readonly databases: Databases;
  readonly works: ReadonlyMap<number, DatabaseWork>;
  readonly checkpointer: Checkpointer;
  readonly errorLog: ErrorLog;
  readonly random: Random;
  readonly availability?: { follow(database: Database, nowUs: number): void };
  catchUp(): number;
}

/** The availability groups of a landscape, ordinary ones first. */
export interface Topology {
  readonly groups: readonly Group[];
  /** By server name; filled as the servers are made. */
  readonly hosts: Map<string, ReplicaHost>;
  readonly agenda: Agenda;
}

interface TopologyOptions {
  readonly seed: number;
  readonly startUs: number;
  readonly agenda: Agenda;
}

const IDS_STREAM = 77;

/** @throws Error if a description names a server, group or database that is not there */
export function createTopology(
  servers: readonly Scenario[],
  landscape: LandscapeDescription,
  options: TopologyOptions,
): Topology {
  const random = createRandom(options.seed, IDS_STREAM);
  const ordinary = landscape.groups.map((group) => makeGroup(group, servers, options, random));
  const distributed = landscape.distributed.map((group) => makeDistributed(group, ordinary, random));
  return { groups: [...ordinary, ...distributed], hosts: new Map(), agenda: options.agenda };
}

function makeGroup(
  description: GroupDescription,
  servers: readonly Scenario[],
  options: TopologyOptions,
  random: Random,
): Group {
  const { name, cluster, isContained, listener } = description;
  const group: Group = {
    id: random.guid(),
    resourceId: random.guid(),
    name,
    kind: isContained ? 'contained' : 'ordinary',
    cluster,
    replicas: [],
    databases: [],
    ...(listener === undefined ? {} : { listener: { ...listener, id: random.guid().toLowerCase() } }),
  };
  group.replicas.push(...description.replicas.map((replica, i) => makeReplica(group, replica, i, random)));
  group.databases.push(
    ...description.databases.map((database) => makeDatabase(group, database, servers, options, random)),
  );
  return group;
}

function makeReplica(group: Group, description: ReplicaDescription, index: number, random: Random): Replica {
  return {
    id: random.guid(),
    group,
    description,
    ordinal: index + 1,
    role: index === 0 ? 'PRIMARY' : 'SECONDARY',
    isPending: false,
  };
}

function makeDatabase(
  group: Group,
  name: string,
  servers: readonly Scenario[],
  { seed, startUs }: TopologyOptions,
  random: Random,
): GroupDatabase {
  const [primary] = group.replicas;
  const scenario = servers.find(({ server }) => server.name === primary?.description.server);
  const first = findDatabase(scenario, name);
  const { workload } = first;
  const utcOffsetMinutes = scenario?.server.utcOffsetMinutes ?? 0;
  // Readers of a shared log ask only for its length, so storms do not matter to them.
  const storms = new LogStorms(startUs);
  const makeMeter = () =>
    createLogMeter(workload, { seed, databaseId: first.id, startUs, utcOffsetMinutes, storms });
  const database: GroupDatabase = {
    id: random.guid(),
    name: first.name,
    bytesPerLogRecord: workload.bytesPerLogRecord,
    writesLog: workload.logRecordsPerSecond > 0,
    meterKey: { seed, databaseId: first.id },
    log: new SharedLog(makeMeter, startUs),
    copies: new Map(),
  };
  for (const replica of group.replicas) addCopy(database, replica, startUs);
  return database;
}

function addCopy(database: GroupDatabase, replica: Replica, startUs: number): void {
  const { server, notJoined = [], suspended = [] } = replica.description;
  const copy = new DatabaseCopy(database, replica, !notJoined.includes(database.name), startUs);
  if (suspended.includes(database.name)) copy.suspend(startUs);
  database.copies.set(server, copy);
}

function findDatabase(scenario: Scenario | undefined, name: string): DatabaseDescription {
  const found = scenario?.databases.find((database) => foldName(database.name) === foldName(name));
  if (found === undefined)
    throw new Error(`the primary ${scenario?.server.name ?? ''} has no database ${name}`);
  return found;
}

/** The second group has the databases of the first, and the same log: the global primary writes it. */
function makeDistributed(
  description: DistributedGroupDescription,
  groups: readonly Group[],
  random: Random,
): Group {
  const [first, second] = [description.first, description.second].map((name) => findGroup(groups, name)) as [
    Group,
    Group,
  ];
  const group: Group = {
    id: random.guid(),
    resourceId: random.guid(),
    name: description.name,
    kind: 'distributed',
    cluster: first.cluster,
    replicas: [],
    databases: first.databases,
  };
  const settings = {
    isSynchronous: false,
    isAutomatic: false,
    readable: 'ALL',
    backupPriority: 50,
    redoLagMs: 0,
  } as const;
  const join = (underlying: Group, index: number): void => {
    const sendLagMs = index === 0 ? 0 : description.sendLagMs;
    const replica = {
      ...makeReplica(group, { ...settings, server: underlying.name, sendLagMs }, index, random),
      underlying,
    };
    group.replicas.push(replica);
    underlying.distributed = replica;
  };
  join(first, 0);
  join(second, 1);
  shareLogs(first, second);
  return group;
}

function shareLogs(first: Group, second: Group): void {
  second.databases.forEach((database, i) => {
    const source = first.databases.find((each) => each.name === database.name);
    if (source === undefined) throw new Error(`${first.name} has no database ${database.name}`);
    const shared: GroupDatabase = { ...database, id: source.id, log: source.log, copies: new Map() };
    for (const replica of second.replicas)
      addCopy(shared, replica, [...source.copies.values()][0]?.sinceUs ?? 0);
    second.databases[i] = shared;
  });
}

function findGroup(groups: readonly Group[], name: string): Group {
  const found = groups.find((group) => group.name === name);
  if (found === undefined) throw new Error(`there is no availability group ${name}`);
  return found;
}
