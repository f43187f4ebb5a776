import type { DatabaseDescription, WorkloadShape } from '../engine/databases';
import type { Random } from '../engine/random';
import { HOSTILE_NAMES, listOrdinaryNames } from './database-names';
import { listSystemDatabases } from './system-databases';
import { BUILDS } from './releases';
import type { Scenario, ScenarioOptions, ServerDescription } from './scenario';
import { makeBatch, makeBusy, makeIdle, makeLight } from './workloads';

const USER_DATABASES = 400;
const AUTOMATIC = 312;
const FIRST_ID = 5;
/** Of the automatic ones; the first three of the busy ones run the batch jobs whose checkpoints outlast a minute. */
const BUSY_AUTOMATIC = 38;
const LIGHT_AUTOMATIC = 46;
const BUSY_INDIRECT = 7;
const LIGHT_INDIRECT = 14;
const BATCHES = 3;

/** An instance upgraded in place, again and again: model still at 0, and so is everything created on it. docs/facts.md, SQL Server 1. */
const SERVER: ServerDescription = {
  name: 'LEGACY-SQL07',
  platform: 'windows',
  release: 2019,
  build: BUILDS[2019],
  edition: 'Enterprise Edition: Core-based Licensing (64-bit)',
  engineEdition: 3,
  collation: 'SQL_Latin1_General_CP1_CI_AS',
  maxServerMemoryMb: 262_144,
  bufferPoolGb: 256,
  physicalMemoryMb: 294_912,
  cpuCount: 32,
  utcOffsetMinutes: 60,
  recoveryIntervalMinutes: 0,
  logDirectory: 'C:\\Program Files\\Microsoft SQL Server\\MSSQL15.MSSQLSERVER\\MSSQL\\Log',
  backupDirectory: 'B:\\Backup',
  volumes: [
    { mount: 'C:\\', label: 'System', totalBytes: 136_365_211_648n, freeBytes: 41_875_931_136n },
    { mount: 'D:\\', label: 'Data', totalBytes: 8_796_093_022_208n, freeBytes: 1_530_519_986_176n },
    { mount: 'L:\\', label: 'Log', totalBytes: 2_199_023_255_552n, freeBytes: 687_194_767_360n },
    { mount: 'B:\\', label: 'Backup', totalBytes: 17_592_186_044_416n, freeBytes: 3_298_534_883_328n },
  ],
  upMs: 9 * 86_400_000 + 5 * 3_600_000 + 1_234_000,
};

type Kind = 'batch' | 'busy' | 'light' | 'idle';

interface Place {
  readonly kind: Kind;
  readonly targetSeconds: number;
  readonly hostileName?: string;
}

export function makeLegacyUpgrade(random: Random, { release = SERVER.release }: ScenarioOptions): Scenario {
  const server = { ...SERVER, release, build: BUILDS[release] };
  const places = shuffle(listPlaces(), random);
  const names = shuffle(listOrdinaryNames(USER_DATABASES - HOSTILE_NAMES.length), random);
  let nextName = 0;
  const databases = places.map((place, i) =>
    describe(FIRST_ID + i, place.hostileName ?? names[nextName++] ?? `Database_${i}`, place, random),
  );
  return { name: 'legacy-upgrade', server, databases: [...listSystemDatabases(server), ...withUnchangeable(databases)] };
}

function listPlaces(): readonly Place[] {
  const automatic = (i: number): Place => {
    if (i < BATCHES) return { kind: 'batch', targetSeconds: 0 };
    if (i >= BUSY_AUTOMATIC) return { kind: i < BUSY_AUTOMATIC + LIGHT_AUTOMATIC ? 'light' : 'idle', targetSeconds: 0 };
    const hostileName = HOSTILE_NAMES[i - BATCHES];
    return { kind: 'busy', targetSeconds: 0, ...(hostileName === undefined ? {} : { hostileName }) };
  };
  const indirect = (i: number): Place => ({
    kind: i < BUSY_INDIRECT ? 'busy' : i < BUSY_INDIRECT + LIGHT_INDIRECT ? 'light' : 'idle',
    // Two that someone set on purpose: one among the busy, one among the light.
    targetSeconds: i === 1 ? 30 : i === BUSY_INDIRECT + 2 ? 600 : 60,
  });
  return [
    ...Array.from({ length: AUTOMATIC }, (_, i) => automatic(i)),
    ...Array.from({ length: USER_DATABASES - AUTOMATIC }, (_, i) => indirect(i)),
  ];
}

function describe(id: number, name: string, place: Place, random: Random): DatabaseDescription {
  const year = random.whole(2009, 2025);
  const recoveryModel = random.unit() < 0.7 ? 'FULL' : random.unit() < 0.95 ? 'SIMPLE' : 'BULK_LOGGED';
  const workload = makeWorkload(place.kind, random);
  const dataMb = Math.round((workload.workingSetPages / 128) * random.between(3, 20)) + random.whole(200, 40_000);
  const compatibilityLevel = Math.min(150, Math.max(100, 100 + 10 * Math.floor((year - 2009) / 2)));
  return {
    id,
    name,
    targetRecoverySeconds: place.targetSeconds,
    createdLocal: makeLocalTime(year, random),
    state: 'ONLINE',
    isReadOnly: false,
    isInStandby: false,
    recoveryModel,
    compatibilityLevel,
    logReuseWait: recoveryModel === 'SIMPLE' || place.kind === 'idle' ? { id: 0, name: 'NOTHING' } : { id: 2, name: 'LOG_BACKUP' },
    pageVerify: year < 2010 ? 'TORN_PAGE_DETECTION' : 'CHECKSUM',
    collation: SERVER.collation,
    dataVolume: 'D:\\',
    // A fifth of them were restored with data and log on one volume.
    logVolume: random.unit() < 0.2 ? 'D:\\' : 'L:\\',
    dataMb,
    logMb: Math.max(64, Math.round(dataMb * random.between(0.05, 0.3))),
    vlfCount: random.unit() < 0.05 ? random.whole(2_000, 9_000) : random.whole(4, 180),
    workload,
  };
}

function makeWorkload(kind: Kind, random: Random): WorkloadShape {
  return { batch: makeBatch, busy: makeBusy, light: makeLight, idle: makeIdle }[kind](random);
}

/** Five that cannot be switched here and now: two read-only, one standby and one offline at 0, one restoring at 60. They are idle. */
function withUnchangeable(databases: readonly DatabaseDescription[]): readonly DatabaseDescription[] {
  const idle = (target: number): readonly number[] =>
    databases.filter((each) => each.workload.activity === 'idle' && each.targetRecoverySeconds === target).map((each) => each.id);
  const [firstReadOnly, secondReadOnly, standby, offline] = idle(0);
  const [restoring] = idle(60);
  return databases.map((each) => {
    if (each.id === firstReadOnly || each.id === secondReadOnly) return { ...each, isReadOnly: true };
    if (each.id === standby) return { ...each, isReadOnly: true, isInStandby: true, recoveryModel: 'FULL' };
    if (each.id === offline) return { ...each, state: 'OFFLINE' };
    return each.id === restoring ? { ...each, state: 'RESTORING', recoveryModel: 'FULL' } : each;
  });
}

function makeLocalTime(year: number, random: Random): string {
  const startMs = Date.UTC(year, 0, 1);
  const at = new Date(startMs + Math.floor(random.unit() * 364 * 86_400_000)).toISOString();
  // datetime has steps of 1/300 s: milliseconds end in 0, 3 or 7.
  return `${at.slice(0, -2)}${[0, 3, 7][random.whole(0, 2)] ?? 0}`;
}

function shuffle<T>(items: readonly T[], random: Random): readonly T[] {
  const mixed = [...items];
  for (let i = mixed.length - 1; i > 0; i--) {
    const j = random.whole(0, i);
    const a = mixed[i] as T;
    mixed[i] = mixed[j] as T;
    mixed[j] = a;
  }
  return mixed;
}
