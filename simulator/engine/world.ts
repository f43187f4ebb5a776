import type { Scenario } from '../scenarios/scenario';
import { createAgenda } from './agenda';
import type { Task } from './checkpoint-task';
import { createCheckpointer, type Checkpointer, type CheckpointListener, type RunningCheckpoint } from './checkpointer';
import { createVirtualClock, type VirtualClock } from './clock';
import { createDatabases, type Databases } from './databases';
import { createErrorLog, writeFlushCache, writeStartup, type ErrorLog } from './error-log';
import { findEvent } from './event-catalogue';
import { EventDisk } from './event-file';
import { SessionStore } from './event-sessions';
import type { XmlContext } from './event-xml';
import { createLedger, type LedgerWriter } from './ledger';
import { DEFAULT_RECOVERY_INTERVAL_MINUTES, SCAN_EVENT_MS } from './physics';
import { createRandom, type Random } from './random';
import { createLogMeter } from './workload';
import { createDatabaseWork, type DatabaseWork } from './write-work';

/** Everything that a modelled server is, before any permission is asked. */
export interface World {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly startUs: number;
  readonly clock: VirtualClock;
  readonly databases: Databases;
  readonly works: ReadonlyMap<number, DatabaseWork>;
  readonly checkpointer: Checkpointer;
  readonly sessions: SessionStore;
  readonly disk: EventDisk;
  readonly ledger: LedgerWriter;
  readonly random: Random;
  readonly xml: XmlContext;
  readonly errorLog: ErrorLog;
  readonly backgroundTasks: readonly Task[];
  /** Rises when a setting of a database changes. */
  settingsVersion: number;
  /** Lets everything happen that is due by now. @returns now, in microseconds: the time of whatever is done next */
  catchUp(): number;
}

/** Streams of randomness, one for each purpose. */
const STREAM = { checkpointer: 1, tasks: 2, commands: 3 } as const;
const MASTER_ID = 1;
/** Background tasks have session ids up to 50. */
const CHECKPOINT_SPID = 9;
const RECOVERY_WRITER_SPID = 12;
/** Both tasks have lived long when the model begins: values over 1,000 are normal. docs/facts.md, SQL Server 3. */
const OLD_TASK_SEQUENCE = 41_207;
const BUFFERS_PER_GB = 131_072;

export function createWorld(
  scenario: Scenario,
  options: { readonly seed: number; readonly rate: number; readonly startUtcMs: number },
): World {
  const { server } = scenario;
  const startUs = options.startUtcMs * 1000;
  const clock = createVirtualClock({ ...options, utcOffsetMinutes: server.utcOffsetMinutes });
  const agenda = createAgenda();
  const ledger = createLedger();
  const databases = createDatabases(scenario.databases);
  const disk = new EventDisk(server.logDirectory, [...server.volumes.map((volume) => volume.mount), server.backupDirectory]);
  const sessions = new SessionStore(agenda, disk, ledger);
  const works = databases.all.map((database) => {
    const meter = createLogMeter(database.workload, {
      seed: options.seed,
      databaseId: database.id,
      startUs,
      utcOffsetMinutes: server.utcOffsetMinutes,
    });
    return createDatabaseWork(database, meter);
  });
  const tasks = createRandom(options.seed, STREAM.tasks);
  const makeTask = (sessionId: number): Task => ({
    activityId: tasks.guid(),
    sessionId,
    contextDatabaseId: MASTER_ID,
    nextSequence: OLD_TASK_SEQUENCE + tasks.whole(0, 9_999),
  });
  const background = makeTask(CHECKPOINT_SPID);
  const recoveryWriter = makeTask(RECOVERY_WRITER_SPID);
  const recoveryIntervalMinutes = server.recoveryIntervalMinutes === 0 ? DEFAULT_RECOVERY_INTERVAL_MINUTES : server.recoveryIntervalMinutes;
  const errorLog = createErrorLog(server.utcOffsetMinutes);
  writeStartup(errorLog, server, databases.all, startUs - server.upMs * 1000);
  const checkpointer = createCheckpointer({
    agenda,
    random: createRandom(options.seed, STREAM.checkpointer),
    works,
    bufferPoolGb: server.bufferPoolGb,
    recoveryIntervalMinutes,
    background,
    recoveryWriter,
    ledger,
    listener: joinListeners(createListener(agenda, sessions, server.bufferPoolGb * BUFFERS_PER_GB), {
      began: () => undefined,
      ended: (checkpoint) => writeFlushCache(errorLog, checkpoint, recoveryIntervalMinutes),
    }),
  });
  checkpointer.start(startUs);
  return {
    scenario,
    seed: options.seed,
    startUs,
    clock,
    databases,
    works: new Map(works.map((work) => [work.database.id, work])),
    checkpointer,
    sessions,
    disk,
    ledger,
    random: createRandom(options.seed, STREAM.commands),
    xml: { serverName: server.name, databaseName: (id) => databases.byId(id)?.name ?? '' },
    errorLog,
    backgroundTasks: [background, recoveryWriter],
    settingsVersion: 1,
    catchUp() {
      const nowUs = clock.nowUs();
      agenda.runUntil(nowUs);
      return nowUs;
    },
  };
}

function joinListeners(...listeners: readonly CheckpointListener[]): CheckpointListener {
  return {
    began: (checkpoint) => listeners.forEach((listener) => listener.began(checkpoint)),
    ended: (checkpoint) => listeners.forEach((listener) => listener.ended(checkpoint)),
  };
}

/** Turns what the checkpointer does into events; every event advances its task's count, whoever listens. */
function createListener(
  agenda: { enter(atUs: number, run: (atUs: number) => void): void },
  sessions: SessionStore,
  buffers: number,
): CheckpointListener {
  const fire = (
    name: string,
    checkpoint: RunningCheckpoint,
    atUs: number,
    phase?: 'begin' | 'end',
    more?: readonly (number | string)[],
  ): void => {
    const event = findEvent('sqlserver', name);
    if (event === undefined) throw new RangeError(`the catalogue has no event ${name}`);
    const { task, work, number } = checkpoint;
    const fired = { event, atUs, databaseId: work.database.id, task, sequence: task.nextSequence++ };
    sessions.fire({ ...fired, ...(more === undefined ? {} : { more }), ...(phase === undefined ? {} : { checkpoint: { number, phase } }) });
  };
  return {
    began(checkpoint) {
      fire('checkpoint_begin', checkpoint, checkpoint.beginUs, 'begin');
      if (checkpoint.scanMs < SCAN_EVENT_MS) return;
      const more = [Math.floor(checkpoint.scanMs), 'CHECKPOINT', 'FlushCache', checkpoint.pages, buffers];
      agenda.enter(checkpoint.beginUs + Math.round(checkpoint.scanMs * 1000), (atUs) =>
        fire('buffer_pool_scan_complete', checkpoint, atUs, undefined, more),
      );
    },
    ended: (checkpoint) => fire('checkpoint_end', checkpoint, checkpoint.endUs, 'end'),
  };
}
