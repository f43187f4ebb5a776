/** What was seen of one server, as plain values: facts/ judges them, and knows no server. */

/** One event as the event file tells it. */
export interface LiveEvent {
  readonly name: string;
  readonly atUtcMs: number;
  /** The event's own field. */
  readonly databaseId: number;
  /** Of the task; null without causality. */
  readonly taskGuid: string | null;
  readonly sequence: number;
  readonly sessionId: number | null;
  readonly isSystem: boolean | null;
  /** The action of that name: the database of the task. */
  readonly contextDatabaseId: number | null;
  /** `file|offset|text`: the same event read twice is the same text in the same place. */
  readonly place: string;
}

/** A begin with the end that follows it on its task for its database. */
export interface LiveCheckpoint {
  readonly databaseId: number;
  readonly beginUtcMs: number;
  readonly endUtcMs: number;
  readonly taskGuid: string;
  readonly sessionId: number | null;
  readonly isSystem: boolean | null;
  readonly contextDatabaseId: number | null;
}

export interface WatchedDatabase {
  readonly databaseId: number;
  readonly name: string;
  readonly targetSeconds: number;
  /** What it did while it was watched. */
  readonly role: 'busy' | 'idle';
  /** Written to its data files while the work ran. */
  readonly dataBytesWritten: number;
}

/** A CHECKPOINT of the test's own. */
export interface ManualCheckpoint {
  readonly databaseId: number;
  readonly sessionId: number;
  /** SYSUTCDATETIME on the server, before and after. */
  readonly fromUtcMs: number;
  readonly untilUtcMs: number;
}

/** What one statement met. */
export interface Attempt {
  readonly errors: readonly { readonly number: number; readonly message: string }[];
}

interface TimedAttempt extends Attempt {
  readonly elapsedMs: number;
}

export interface Observation {
  readonly majorVersion: number;
  readonly productVersion: string;
  readonly productLevel: string;
  readonly engineEdition: number;
  readonly utcOffsetMinutes: number;
  readonly databases: readonly WatchedDatabase[];
  /** Every database's target recovery time while it was watched. */
  readonly targetOf: ReadonlyMap<number, number>;
  readonly events: readonly LiveEvent[];
  readonly manual: readonly ManualCheckpoint[];
  /** The same files read once more, in pages behind cursors. */
  readonly pagedPlaces: readonly string[];
  /** Reading behind a cursor whose file has been rolled over; null where none was. */
  readonly rolledOver: Attempt | null;
  /** Milliseconds between dm_xe_sessions.create_time and the server's local and UTC clocks when the session was started. */
  readonly sessionCreated: { readonly fromLocalMs: number; readonly fromUtcMs: number };
  readonly backgroundWriterPages: { readonly before: number; readonly after: number };
  readonly hasScanEvent: boolean;
  /** CREATE EVENT SESSION ... WITH (MAX_DURATION = ...). */
  readonly maxDuration: Attempt;
  /** HAS_PERMS_BY_NAME(NULL, NULL, 'CREATE ANY EVENT SESSION'). */
  readonly createAnyPermission: number | null;
  /** A login with CREATE ANY EVENT SESSION alone; null before SQL Server 2022. */
  readonly creatorOnly: { readonly create: Attempt; readonly start: Attempt } | null;
  /** The target of one database, changed and read back, with the error log's rows about it. */
  readonly change: { readonly databaseName: string; readonly seconds: number; readonly readBack: number; readonly log: readonly string[] };
  /** ALTER of a read-only database; null where there is none. */
  readonly readOnly: Attempt | null;
  /** SET TARGET_RECOVERY_TIME WITH NO_WAIT while somebody else was in the database; null where he was not seen there all the time. */
  readonly noWait: { readonly backup: TimedAttempt | null; readonly transaction: TimedAttempt | null; readonly alter: TimedAttempt | null };
  /** Rows that the error log gained by one CHECKPOINT under trace flag 3504. */
  readonly tracedLog: readonly { readonly logDate: string; readonly processInfo: string; readonly text: string }[];
  readonly tracedDatabaseId: number;
  /** database_id of each row of sql/read/availability-roles.sql. */
  readonly roleRows: readonly number[];
  readonly databaseRows: readonly number[];
  /** What a readable secondary replica showed meanwhile; null where none is named. */
  readonly secondary: { readonly databaseIds: readonly number[]; readonly events: readonly LiveEvent[] } | null;
}

/** Begins and ends of one task and database, in the task's own order. Ends without a begin, and begins without an end, are left out. */
export function pairEvents(events: readonly LiveEvent[]): readonly LiveCheckpoint[] {
  const open = new Map<string, LiveEvent>();
  const checkpoints: LiveCheckpoint[] = [];
  for (const event of [...events].sort((a, b) => a.sequence - b.sequence)) {
    const { taskGuid, databaseId, sessionId, isSystem, contextDatabaseId } = event;
    if (taskGuid === null || !event.name.startsWith('checkpoint_')) continue;
    const key = `${taskGuid}/${databaseId}`;
    const begin = open.get(key);
    open.delete(key);
    if (event.name === 'checkpoint_begin') open.set(key, event);
    else if (begin !== undefined)
      checkpoints.push({
        databaseId,
        beginUtcMs: begin.atUtcMs,
        endUtcMs: event.atUtcMs,
        taskGuid,
        sessionId,
        isSystem,
        contextDatabaseId,
      });
  }
  return checkpoints.sort((a, b) => a.beginUtcMs - b.beginUtcMs);
}

/** The checkpoints that the server ran by itself in databases with target 0. */
export function listAutomatic({ events, targetOf }: Pick<Observation, 'events' | 'targetOf'>): readonly LiveCheckpoint[] {
  return pairEvents(events).filter(({ isSystem, databaseId }) => isSystem === true && targetOf.get(databaseId) === 0);
}
