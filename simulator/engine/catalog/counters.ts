import type { Database } from '../databases/databases';
import { PAGES_PER_READ } from '../databases/physics';
import type { World } from '../world/world';
import type { WriteWork } from '../databases/write-work';
import { databaseGuid, isInAzure, physicalDatabaseName } from './databases';
import { measureLog } from './logs';
import { STATE, view, type CatalogObject } from './object';
import { bigint, int, nchar, need, type Field } from './relation';

/** PERF_COUNTER_BULK_COUNT, PERF_COUNTER_LARGE_RAWCOUNT: rates are cumulative, docs/facts.md, SQL Server 6. */
const RATE = 272_696_576;
const GAUGE = 65_792;
/**
 * Pages that the lazy writer writes to make room for one read: next to none on a server with enough memory. The model's
 * choice.
 */
const LAZY_WRITES_PER_READ = 0.01;
/** Transactions, and batches, for each transaction that writes. The model's choice. */
const READS_PER_WRITE = 3;
/** A monitoring tool asks the server once a second. The model's choice. */
const MONITORING_PER_SECOND = 1;

interface Counter {
  readonly object: string;
  readonly counter: string;
  readonly instance: string;
  readonly value: number;
  readonly type: number;
}

const pad = (text: string): string => text.padEnd(128, ' ');

/** Microsoft Learn, "sys.dm_os_performance_counters": three space-padded nchar(128). */
const FIELDS: readonly Field<Counter>[] = [
  need('object_name', nchar(128), (c) => pad(c.object)),
  need('counter_name', nchar(128), (c) => pad(c.counter)),
  need('instance_name', nchar(128), (c) => pad(c.instance)),
  need('cntr_value', bigint, (c) => BigInt(Math.floor(c.value))),
  need('cntr_type', int, (c) => c.type),
];

interface DatabaseState {
  readonly database: Database;
  readonly work: WriteWork;
  readonly log: ReturnType<typeof measureLog>;
}

type DatabaseCounter = readonly [name: string, type: number, value: (state: DatabaseState) => number];

const DATABASE_COUNTERS: readonly DatabaseCounter[] = [
  ['Data File(s) Size (KB)', GAUGE, ({ database }) => database.dataMb * 1024],
  ['Log File(s) Size (KB)', GAUGE, ({ database }) => database.logMb * 1024],
  ['Log File(s) Used Size (KB)', GAUGE, ({ database, log }) => database.logMb * 1024 * log.usedShare],
  ['Percent Log Used', GAUGE, ({ log }) => log.usedShare * 100],
  ['Active Transactions', GAUGE, () => 0],
  ['Transactions/sec', RATE, ({ work }) => work.transactions * READS_PER_WRITE],
  ['Write Transactions/sec', RATE, ({ work }) => work.transactions],
  ['Log Flushes/sec', RATE, ({ work }) => work.transactions],
  ['Log Bytes Flushed/sec', RATE, ({ work }) => work.logBytes],
  ['Log Flush Waits/sec', RATE, ({ work }) => work.transactions],
  ['Log Flush Wait Time', GAUGE, ({ work }) => work.logStallMs],
];

/**
 * Counters of the databases' work begin with the model, like sys.dm_io_virtual_file_stats; only page life expectancy
 * shows the age of the instance.
 */
function listCounters(world: World, nowUs: number): readonly Counter[] {
  const upSeconds = ((nowUs - world.startUs) / 1000 + world.scenario.server.upMs) / 1000;
  const works = world.databases.all
    .filter((database) => database.state === 'ONLINE')
    .flatMap((database) => {
      const work = world.works.get(database.id)?.at(nowUs);
      return work === undefined ? [] : [{ database, work, log: measureLog(world, database, nowUs) }];
    });
  const sum = (of: (work: WriteWork) => number): number =>
    works.reduce((total, each) => total + of(each.work), 0);
  const reads = sum((work) => work.reads);
  const batches = sum((work) => work.transactions) * READS_PER_WRITE;
  const lazy = reads * LAZY_WRITES_PER_READ;
  const checkpointPages = sum((work) => work.checkpointPages);
  const backgroundPages = sum((work) => work.backgroundPages);
  const prefix = objectPrefix(world);
  const of =
    (object: string) =>
    (counter: string, value: number, type = RATE): Counter => ({
      object: `${prefix}:${object}`,
      counter,
      instance: '',
      value,
      type,
    });
  const [buffer, statistics] = [of('Buffer Manager'), of('SQL Statistics')];
  const targetPages = world.scenario.server.bufferPoolGb * 131_072;
  return [
    buffer('Buffer cache hit ratio', 4_812, 537_003_264),
    buffer('Buffer cache hit ratio base', 4_815, 1_073_939_712),
    buffer('Page lookups/sec', batches * 160 + upSeconds * 200),
    buffer('Free list stalls/sec', 0),
    buffer('Database pages', targetPages, GAUGE),
    buffer('Target pages', targetPages, GAUGE),
    buffer('Lazy writes/sec', lazy),
    buffer('Readahead pages/sec', reads * (PAGES_PER_READ - 1)),
    buffer('Page reads/sec', reads * PAGES_PER_READ),
    buffer('Page writes/sec', checkpointPages + backgroundPages + lazy),
    buffer('Checkpoint pages/sec', checkpointPages),
    buffer('Background writer pages/sec', backgroundPages),
    buffer('Page life expectancy', upSeconds, GAUGE),
    statistics('Batch Requests/sec', batches + upSeconds * MONITORING_PER_SECOND),
    statistics('SQL Compilations/sec', batches * 0.06),
    statistics('SQL Re-Compilations/sec', batches * 0.002),
    ...DATABASE_COUNTERS.flatMap(([counter, type, value]) =>
      listInstances(works, { prefix, counter, type, value }),
    ),
  ];
}

/**
 * In Azure the node names the instance, and counters have the physical names of databases. Microsoft Learn,
 * "sys.dm_os_performance_counters".
 */
function objectPrefix({ scenario: { server } }: World): string {
  return isInAzure(server)
    ? `MSSQL$DB${databaseGuid({ id: server.cpuCount }, 60).slice(0, 11).replace('-', '')}`
    : 'SQLServer';
}

interface InstanceCounter {
  readonly prefix: string;
  readonly counter: string;
  readonly type: number;
  readonly value: DatabaseCounter[2];
}

function listInstances(
  states: readonly DatabaseState[],
  { prefix, counter, type, value }: InstanceCounter,
): readonly Counter[] {
  const object = `${prefix}:Databases`;
  const nameOf = (database: Database): string =>
    prefix === 'SQLServer' ? database.name : physicalDatabaseName(database);
  const make = (instance: string, of: number): Counter => ({ object, counter, instance, value: of, type });
  const each = states.map((state) => make(nameOf(state.database), value(state)));
  return [
    ...each,
    make(
      '_Total',
      each.reduce((sum, one) => sum + one.value, 0),
    ),
  ];
}

export const COUNTER_OBJECTS: readonly CatalogObject[] = [
  view('sys.dm_os_performance_counters', FIELDS, (world, { nowUs }) => listCounters(world, nowUs), STATE),
];
