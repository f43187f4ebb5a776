import type { DatabaseDescription, WorkloadShape } from './database';
import type { Random } from './random';
import { describeDatabases, scaleMix, type DatabaseMix, type Placement } from './described-databases';
import type { Scenario, ScenarioOptions, ServerDescription } from './scenario';
import { listSystemDatabases } from './system-databases';
import { describeVolume, describeWindowsServer, SEPARATE_VOLUMES } from './windows-server';
import { makeIdle } from './workloads';

/**
 * A demonstration made to match tables that others published. It proves nothing: what goes in comes out. All figures are from docs/facts.md, SQL Server 1. If
 * a table needs a figure that is not published, it is chosen so that the table comes out, and marked with "chosen".
 */
const LABEL = 'DEMO';

/** A fifth of 400 databases write nothing, so that they have no automatic checkpoint in half an hour. */
const MIX: DatabaseMix = {
  automatic: { batch: 0, busy: 0, light: 320, idle: 80 },
  indirect: { batch: 0, busy: 0, light: 0, idle: 0 },
  workloads: { light: makeSteady },
};

const PLACEMENT: Placement = { data: 'D:\\', log: 'L:\\', sharedShare: 0, years: [2009, 2015], brokenUpShare: 1 };

/** Chosen: a scan of this much memory takes a little under the published 2.5 s. */
const SITE_GB = 650;
/** Chosen: full backups of 400 databases copy for 125 minutes. */
const SITE_DATA_MB = 19_600;

/** Chosen: what published averages and backup times need besides physics.ts. */
const SITE_EXTRAS = { indirectMs: 646, manualMs: 16, backupScans: { full: 5, log: 1 } };

const HALF_A_MILLION = 500_000;

/** The site of the published table before its change, and servers for the tables of scan cost and of contiguous and scattered writes. */
export function makePublishedDemonstration(random: Random, { release = 2016, databases }: ScenarioOptions): Scenario {
  const server: ServerDescription = {
    ...describeWindowsServer({
      name: `${LABEL}-SITE`,
      release,
      bufferPoolGb: SITE_GB,
      cpuCount: 48,
      utcOffsetMinutes: 0,
      upDays: 40,
      backupDirectory: 'B:\\Backup',
      volumes: [
        describeVolume('C:\\', 'System', 255, 0.4),
        describeVolume('D:\\', 'Data', 16_384, 0.3),
        describeVolume('L:\\', 'Log', 8_192, 0.5),
        describeVolume('B:\\', 'Backup', 65_536, 0.4),
      ],
    }),
    demonstration: SITE_EXTRAS,
  };
  const site = describeDatabases(scaleMix(MIX, databases), PLACEMENT, server, random).map((each) => ({
    ...each,
    recoveryModel: 'FULL' as const,
    logReuseWait: { id: 2, name: 'LOG_BACKUP' },
    dataMb: SITE_DATA_MB,
    logMb: 2_048,
    vlfCount: 9_000,
  }));
  const others = [0, 100, 200].map((gb) => makeLadderServer(gb, release, random));
  const landscape = { others, groups: [], distributed: [] };
  return { name: 'published-demonstration', server, databases: [...listSystemDatabases(server), ...site], landscape };
}

/** Every automatic checkpoint takes about 2.5 s. They come about 12 minutes apart, so that the one task keeps up. Chosen. */
function makeSteady(random: Random): WorkloadShape {
  const logRecordsPerSecond = random.whole(40, 60);
  return {
    activity: 'light',
    logRecordsPerSecond,
    bytesPerLogRecord: 120,
    logRecordsPerTransaction: 10,
    logRecordsPerCheckpoint: logRecordsPerSecond * random.whole(540, 660),
    workingSetPages: random.whole(200, 500),
    logRecordsPerPage: 8,
    pagesPerWrite: 2,
  };
}

/** A server with this much memory. `Quiet` has nothing to write; the two others have half a million dirty pages after about ten minutes. */
function makeLadderServer(gb: number, release: NonNullable<ScenarioOptions['release']>, random: Random): Scenario {
  const memory = { bufferPoolGb: 64, cpuCount: 16, utcOffsetMinutes: 0, upDays: 40, hasBackups: false, backupDirectory: 'B:\\Backup' };
  const described = describeWindowsServer({ name: `${LABEL}-SCAN-${gb}GB`, release, ...memory, volumes: SEPARATE_VOLUMES });
  const server = { ...described, bufferPoolGb: gb, maxServerMemoryMb: Math.max(64, gb) * 1024, physicalMemoryMb: Math.max(64, gb) * 1152 };
  const make = (id: number, name: string, workload: WorkloadShape): DatabaseDescription => ({
    id,
    name,
    targetRecoverySeconds: 0,
    createdLocal: '2014-05-06T07:08:09.100',
    state: 'ONLINE',
    isReadOnly: false,
    isInStandby: false,
    recoveryModel: 'SIMPLE',
    compatibilityLevel: 120,
    logReuseWait: { id: 0, name: 'NOTHING' },
    pageVerify: 'CHECKSUM',
    collation: server.collation,
    dataVolume: 'D:\\',
    logVolume: 'L:\\',
    dataMb: 16_384,
    logMb: 16_384,
    vlfCount: 64,
    workload,
  });
  const dirty = (pagesPerWrite: number): WorkloadShape => ({ ...makeDirty(), pagesPerWrite });
  const own = [make(5, 'Quiet', makeIdle(random)), make(6, 'Gathered', dirty(32)), make(7, 'Scattered', dirty(1.4))];
  return { name: 'published-demonstration', server, databases: [...listSystemDatabases(server, { isQuiet: true }), ...own] };
}

/** Enough log to make all pages dirty in minutes, but never enough for an automatic checkpoint, so that a manual one writes them. Chosen. */
function makeDirty(): WorkloadShape {
  return {
    activity: 'busy',
    logRecordsPerSecond: 20_000,
    bytesPerLogRecord: 100,
    logRecordsPerTransaction: 1_000,
    logRecordsPerCheckpoint: 1e12,
    workingSetPages: HALF_A_MILLION,
    logRecordsPerPage: 1,
    pagesPerWrite: 1,
  };
}
