import type { RegisteredServer, Scenario, ServerDescription } from '../../scenarios/scenario';
import type { ServerAvailability } from '../availability/server-availability';
import { Backups } from '../backups/backups';
import { Agenda } from '../time/agenda';
import type { Task } from '../checkpoints/checkpoint-task';
import type { CheckpointListener } from '../checkpoints/running-checkpoint';
import { Checkpointer } from '../checkpoints/checkpointer';
import { listenWithEvents } from '../events/checkpoint-events';
import { VirtualClock } from '../time/clock';
import { InstanceConfiguration } from '../settings/configuration';
import { createDatabases, type Database, type Databases } from '../databases/databases';
import { createErrorLog, type ErrorLog } from '../error-log/error-log';
import { listenWithErrorLog } from '../error-log/error-log-checkpoints';
import { writeStartup } from '../error-log/error-log-startup';
import { createEventCatalogue, type EventCatalogue } from '../events/event-catalogue';
import { EventDisk } from '../events/event-disk';
import { SessionStore, type SessionStoreOptions } from '../events/event-sessions';
import type { XmlContext } from '../events/event-actions';
import { createLedger, type LedgerWriter } from '../ledger/ledger';
import { Permissions } from '../permissions/permissions';
import { BUFFERS_PER_GB, countScanTasks } from '../databases/physics';
import { createRandom, type Random } from '../../scenarios/random';
import { LogStorms } from '../databases/log-storms';
import { TraceFlags } from '../settings/trace-flags';
import { createLogMeter, type LogMeterOptions } from '../databases/workload';
import { DatabaseWork } from '../databases/write-work';

export interface WorldOptions {
  readonly seed: number;
  readonly rate: number;
  readonly startUtcMs: number;
  /** What the servers of a landscape share: the clock, the agenda and availability groups. */
  readonly shared?: Shared;
}

interface Shared {
  readonly clock: VirtualClock;
  readonly agenda: Agenda;
  readonly availability?: ServerAvailability;
}

/** All parts of a modelled server. It checks no permissions. */
export interface World {
  readonly scenario: Scenario;
  readonly seed: number;
  readonly startUs: number;
  /** When the server was last started. */
  readonly uptime: { startedUs: number };
  readonly clock: VirtualClock;
  readonly databases: Databases;
  readonly permissions: Permissions;
  readonly works: ReadonlyMap<number, DatabaseWork>;
  readonly checkpointer: Checkpointer;
  readonly backups: Backups;
  readonly configuration: InstanceConfiguration;
  readonly traceFlags: TraceFlags;
  readonly sessions: SessionStore;
  readonly agenda: Agenda;
  readonly disk: EventDisk;
  readonly eventCatalogue: EventCatalogue;
  readonly ledger: LedgerWriter;
  readonly errorLog: ErrorLog;
  /** The tasks of automatic and of indirect checkpoints. */
  readonly backgroundTasks: readonly [Task, Task];
  /** Servers that are registered here, as on a central management server. */
  readonly registered: RegisteredServer[];
  /** Absent if the server is in no availability group. */
  readonly availability?: ServerAvailability;
  /** For the random draws of commands. */
  readonly random: Random;
  readonly xml: XmlContext;
  /** Runs all that is due by now. @returns now, in microseconds: the time of what the caller does next */
  catchUp(): number;
}

/** Streams of randomness, one for each purpose. */
const STREAM = { checkpointer: 1, tasks: 2, commands: 3, backups: 4 } as const;
const MASTER_ID = 1;
/** Background tasks have session ids up to 50. */
const CHECKPOINT_SPID = 9;
const RECOVERY_WRITER_SPID = 12;
/** Both tasks are old when the model begins: values over 1,000 are normal. docs/facts.md, SQL Server 3. */
const OLD_TASK_SEQUENCE = 41_207;

export function createWorld(scenario: Scenario, options: WorldOptions): World {
  const { server } = scenario;
  const { seed } = options;
  const startUs = options.startUtcMs * 1000;
  const startedUs = startUs - server.upMs * 1000;
  const { clock, agenda, availability } = options.shared ?? createTime(server, options);
  const ledger = createLedger();
  const databases = openDatabases(scenario, availability);
  const storms = new LogStorms(startUs);
  const { utcOffsetMinutes } = server;
  const works = makeWorks(databases, { seed, startUs, utcOffsetMinutes, storms }, availability);
  const errorLog = createErrorLog(server, (atUs) => clock.localMoment(atUs));
  writeStartup(errorLog, { server, databases: startedAtStartup(databases), startUs: startedUs });
  const parts = {
    scenario,
    seed,
    startUs,
    uptime: { startedUs },
    clock,
    agenda,
    databases,
    ...createEvents({ agenda, clock, ledger, databases, server, seed }),
    configuration: new InstanceConfiguration(server),
    traceFlags: new TraceFlags(server.traceFlags ?? []),
    ledger,
    errorLog,
    ...(availability === undefined ? {} : { availability }),
    registered: [],
    permissions: new Permissions(server),
    random: createRandom(seed, STREAM.commands),
  };
  return {
    ...parts,
    ...startWriters(parts, works, storms),
    works: new Map(works.map((work) => [work.database.id, work])),
    catchUp() {
      const nowUs = clock.nowUs();
      agenda.runUntil(nowUs);
      return nowUs;
    },
  };
}

type Writers = Pick<World, 'backgroundTasks' | 'checkpointer' | 'backups'>;
type Rest = Omit<World, keyof Writers | 'works' | 'catchUp'>;

/** Starts what writes by itself: both tasks of checkpoints, and the backup jobs. */
function startWriters(world: Rest, works: readonly DatabaseWork[], storms: LogStorms): Writers {
  const { agenda, configuration, ledger, seed, startUs, traceFlags } = world;
  const { server } = world.scenario;
  const backgroundTasks = makeTasks(createRandom(seed, STREAM.tasks));
  const [background, recoveryWriter] = backgroundTasks;
  const checkpointer = new Checkpointer({
    server,
    agenda,
    random: createRandom(seed, STREAM.checkpointer),
    works,
    configuration,
    traceFlags,
    background,
    recoveryWriter,
    ledger,
    storms,
    listener: makeListener(world),
  });
  checkpointer.start(startUs);
  const random = createRandom(seed, STREAM.backups);
  const backups = new Backups({ server, agenda, checkpointer, works, seed, random, startUs });
  backups.start();
  return { backgroundTasks, checkpointer, backups };
}

function openDatabases(scenario: Scenario, availability: ServerAvailability | undefined): Databases {
  const databases = createDatabases(scenario.databases);
  availability?.attach(databases.all);
  return databases;
}

/** Databases of availability groups are started by their groups. */
function startedAtStartup({ all }: Databases): readonly Database[] {
  return all.filter(({ availability }) => availability === undefined);
}

/** A clock and an agenda of the server's own. */
export function createTime(server: ServerDescription, options: WorldOptions): Shared {
  const clock = new VirtualClock({ ...options, utcOffsetMinutes: server.utcOffsetMinutes });
  const agenda = new Agenda();
  clock.followWith((untilUs, most) => agenda.runUntil(untilUs, most));
  return { clock, agenda };
}

function makeWorks(
  databases: Databases,
  options: Omit<LogMeterOptions, 'databaseId'>,
  availability: ServerAvailability | undefined,
): readonly DatabaseWork[] {
  return databases.all.map((database) => {
    const makeMeter = (own: Partial<LogMeterOptions> = {}) =>
      createLogMeter(
        isAtWork(database) ? database.workload : { ...database.workload, logRecordsPerSecond: 0 },
        { ...options, databaseId: database.id, ...own },
      );
    return new DatabaseWork(database, availability?.wrapMeter(database, makeMeter) ?? makeMeter());
  });
}

/** Nobody writes to a database that is restoring, offline or read-only. */
function isAtWork({ state, isReadOnly }: Database): boolean {
  return state === 'ONLINE' && !isReadOnly;
}

type Events = Pick<World, 'disk' | 'eventCatalogue' | 'sessions' | 'xml'>;

type EventOptions = Omit<SessionStoreOptions, 'disk' | 'catalogue' | 'context'> &
  Pick<World, 'clock' | 'databases'>;

function createEvents({ clock, databases, ...options }: EventOptions): Events {
  const { server } = options;
  const disk = new EventDisk(server);
  const eventCatalogue = createEventCatalogue(server);
  const xml: XmlContext = {
    serverName: server.name,
    databaseName: (id) => databases.byId(id)?.name ?? '',
    shownUs: (atUs) => clock.shownUs(atUs),
  };
  return {
    disk,
    eventCatalogue,
    xml,
    sessions: new SessionStore({ ...options, disk, catalogue: eventCatalogue, context: xml }),
  };
}

function makeTasks(random: Random): readonly [Task, Task] {
  const make = (sessionId: number): Task => ({
    activityId: random.guid(),
    sessionId,
    contextDatabaseId: MASTER_ID,
    nextSequence: OLD_TASK_SEQUENCE + random.whole(0, 9_999),
  });
  return [make(CHECKPOINT_SPID), make(RECOVERY_WRITER_SPID)];
}

/** Events first, then the error log. */
function makeListener(world: Rest): CheckpointListener {
  const { agenda, availability, configuration, errorLog, eventCatalogue, sessions, traceFlags } = world;
  const { server } = world.scenario;
  const { bufferPoolGb, release } = server;
  const pool = { buffers: bufferPoolGb * BUFFERS_PER_GB, scanTasks: countScanTasks(bufferPoolGb, release) };
  const events = listenWithEvents(agenda, sessions, eventCatalogue, pool);
  const lines = listenWithErrorLog({ log: errorLog, agenda, server, traceFlags, configuration });
  return {
    began(checkpoint) {
      events.began(checkpoint);
      lines.began(checkpoint);
    },
    stalled: (stall) => lines.stalled?.(stall),
    ended(checkpoint) {
      events.ended(checkpoint);
      lines.ended(checkpoint);
      availability?.replay(checkpoint);
    },
  };
}
