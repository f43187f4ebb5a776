/** Reads a site from a file (docs/sites.md): a server's state over some hours. Errors name the field. */

export class SiteError extends Error {}

const CAUSES = ['automatic', 'manual', 'backup', 'snapshot', 'indirect'] as const;
type Cause = (typeof CAUSES)[number];

export interface SiteServer {
  readonly version: string;
  readonly edition: string;
  readonly memoryGb: number;
  readonly recoveryIntervalMin: number;
  readonly bufferPoolPages: number | null;
  readonly traceFlags: readonly number[];
  readonly utcOffsetMin: number;
  readonly canRecord: boolean;
  readonly canReadBackups: boolean;
  readonly canReadErrorLog: boolean;
}

export interface SiteDatabase {
  readonly id: number;
  readonly name: string;
  readonly targetSeconds: number | null;
  readonly state: string;
  readonly recoveryModel: string;
  readonly role: string;
  readonly logReuseWait: string;
  readonly isReadOnly: boolean;
  readonly isInStandby: boolean;
  readonly isSnapshot: boolean;
  readonly updateability: string | null;
  readonly isAdr: boolean;
  readonly logSizeMb: number | null;
  /** How full it is of what came since the last checkpoint. */
  readonly logUsedPercent: number | null;
}

export type SiteCheckpoint = readonly [databaseId: number, beginMs: number, endMs: number, cause: Cause];

interface SiteBackup {
  readonly databaseId: number;
  readonly type: 'full' | 'differential' | 'log';
  readonly startMs: number;
  readonly endMs: number;
}

export interface Site {
  readonly name: string;
  readonly server: SiteServer;
  readonly databases: readonly SiteDatabase[];
  readonly observedFromMs: number;
  readonly observedToMs: number;
  readonly gaps: readonly (readonly [number, number])[];
  readonly checkpoints: readonly SiteCheckpoint[];
  readonly inTaskOrder: boolean;
  readonly clockBack: { readonly atMs: number; readonly byMs: number } | null;
  readonly notRecorded: boolean;
  /**
   * The task for each cause. Without one, the checkpoint runs on the task of whoever asks. null if the session has no
   * activity ids.
   */
  readonly taskOfCause: Readonly<Partial<Record<Cause, string>>> | null;
  /** The session records is_system: which checkpoints the engine ran, and which a session asked for. */
  readonly recordsCaller: boolean;
  readonly backups: readonly SiteBackup[];
  readonly errorLog: readonly string[];
  /** Each row is [databaseId, sampleEndMs, logWrites, stallMs] of one sample, not cumulative. */
  readonly logWaits: { readonly sampleMs: number; readonly samples: readonly Numbers[] } | null;
  /** Each row is [databaseId, atMs, mb]. */
  readonly logSinceCheckpointMb: readonly Numbers[];
  /** By name of the database. */
  readonly volumes: ReadonlyMap<string, string>;
  readonly policy: object | null;
}

type Numbers = readonly number[];

const DAY_MS = 86_400_000;
/** The product takes events before 2000 for malformed, so made-up sites that count from 0 are moved to this year. */
const EARLIEST_UTC_MS = Date.UTC(2001, 0, 1);

/** @throws SiteError that names the field and what it should contain */
export function readSite(value: unknown): Site {
  const site = readFields(value);
  const byMs = Math.max(0, Math.ceil((EARLIEST_UTC_MS - site.observedFromMs) / DAY_MS) * DAY_MS);
  const at = (rows: readonly Numbers[]): readonly Numbers[] =>
    rows.map(([id = 0, atMs = 0, ...rest]) => [id, atMs + byMs, ...rest]);
  return {
    ...site,
    observedFromMs: site.observedFromMs + byMs,
    observedToMs: site.observedToMs + byMs,
    gaps: site.gaps.map(([from, to]) => [from + byMs, to + byMs]),
    checkpoints: site.checkpoints.map(([id, beginMs, endMs, cause]) => [
      id,
      beginMs + byMs,
      endMs + byMs,
      cause,
    ]),
    clockBack: site.clockBack && { ...site.clockBack, atMs: site.clockBack.atMs + byMs },
    backups: site.backups.map((one) => ({ ...one, startMs: one.startMs + byMs, endMs: one.endMs + byMs })),
    logWaits: site.logWaits && { ...site.logWaits, samples: at(site.logWaits.samples) },
    logSinceCheckpointMb: at(site.logSinceCheckpointMb),
  };
}

function readFields(value: unknown): Site {
  const site = new Fields(value, '');
  const databases = readDatabases(site);
  const [observedFromMs, observedToMs] = [site.number('observedFromMs'), site.number('observedToMs')];
  if (observedToMs < observedFromMs) throw new SiteError('observedToMs: it lies before observedFromMs');
  const volumes = site.part('volumes');
  return {
    name: site.text('name'),
    server: readServer(site.part('server')),
    databases,
    observedFromMs,
    observedToMs,
    gaps: site.rows('gaps', 2).map(([from = 0, to = 0]) => [from, to]),
    checkpoints: readCheckpoints(site),
    inTaskOrder: site.flag('inTaskOrder', false),
    clockBack: site.optional('clockBack', (clock) => ({
      atMs: clock.number('atMs'),
      byMs: clock.number('byMs'),
    })),
    notRecorded: site.flag('notRecorded', false),
    taskOfCause: readTasks(site),
    recordsCaller: site.flag('recordsCaller', false),
    backups: site.parts('backups').map(readBackup),
    errorLog: site.texts('errorLog'),
    logWaits: site.optional('logWaits', (waits) => ({
      sampleMs: waits.number('sampleMs'),
      samples: waits.rows('samples', 4),
    })),
    logSinceCheckpointMb: site.optional('logSinceCheckpointMb', (grown) => grown.rows('samples', 3)) ?? [],
    volumes: new Map(Object.keys(volumes.own).map((name) => [name, volumes.text(name)])),
    policy: site.optional('policy', (policy) => policy.own),
  };
}

function readServer(server: Fields): SiteServer {
  return {
    version: server.text('version', '15.0.4375.4'),
    edition: server.text('edition', 'Enterprise Edition (64-bit)'),
    memoryGb: server.number('memoryGb', 64),
    recoveryIntervalMin: server.number('recoveryIntervalMin', 0),
    bufferPoolPages: server.optionalNumber('bufferPoolPages'),
    traceFlags: server.numbers('traceFlags'),
    utcOffsetMin: server.number('utcOffsetMin', 0),
    canRecord: server.flag('canRecord', true),
    canReadBackups: server.flag('canReadBackups', true),
    canReadErrorLog: server.flag('canReadErrorLog', true),
  };
}

function readDatabases(site: Fields): readonly SiteDatabase[] {
  const [ids, names] = [new Set<number>(), new Set<string>()];
  return site.parts('databases').map((one) => {
    const [id, name] = [one.number('id'), one.text('name')];
    if (ids.has(id)) throw new SiteError(`${one.place}.id: ${id} is the id of another database, too`);
    if (names.has(name))
      throw new SiteError(`${one.place}.name: ${JSON.stringify(name)} is the name of another database, too`);
    ids.add(id);
    names.add(name);
    return readDatabase(one, id, name);
  });
}

function readDatabase(one: Fields, id: number, name: string): SiteDatabase {
  const [state, role] = [one.text('state', 'ONLINE'), one.text('role', 'NONE')];
  const [isReadOnly, isInStandby] = [one.flag('isReadOnly', false), one.flag('isInStandby', false)];
  const isWritable = !isReadOnly && !isInStandby && role !== 'SECONDARY' && role !== 'FORWARDER';
  return {
    id,
    name,
    state,
    role,
    isReadOnly,
    isInStandby,
    targetSeconds: one.raw('targetSeconds') === null ? null : one.number('targetSeconds'),
    recoveryModel: one.text('recoveryModel', 'FULL'),
    logReuseWait: one.text('logReuseWait', 'NOTHING'),
    isSnapshot: one.flag('isSnapshot', false),
    updateability:
      one.raw('updateability') === null
        ? null
        : one.text('updateability', isWritable ? 'READ_WRITE' : 'READ_ONLY'),
    isAdr: one.flag('isAdr', false),
    logSizeMb: one.optionalNumber('logSizeMb'),
    logUsedPercent: one.optionalNumber('logUsedPercent'),
  };
}

/** Keeps the rows as they are, because there may be hundreds of thousands. */
function readCheckpoints(site: Fields): readonly SiteCheckpoint[] {
  const rows = site.list('checkpoints');
  rows.forEach((row, at) => {
    const [databaseId, beginMs, endMs, cause] = Array.isArray(row) ? (row as unknown[]) : [];
    const isWhole = Number.isFinite(databaseId) && Number.isFinite(beginMs) && Number.isFinite(endMs);
    if (!isWhole || !CAUSES.includes(cause as Cause))
      throw new SiteError(
        `checkpoints[${at}]: [databaseId, beginMs, endMs, cause] is wanted, with a cause of ${CAUSES.join(', ')}; it is ${show(row)}`,
      );
  });
  return rows as readonly SiteCheckpoint[];
}

function readTasks(site: Fields): Site['taskOfCause'] {
  const value = site.raw('taskOfCause');
  if (value === null || value === false) return null;
  const tasks = site.part('taskOfCause');
  const tasksOf: Partial<Record<Cause, string>> = { automatic: 'checkpoint' };
  for (const cause of CAUSES) if (tasks.raw(cause) != null) tasksOf[cause] = String(tasks.raw(cause));
  return tasksOf;
}

const backupTypes: Readonly<Record<string, SiteBackup['type']>> = { d: 'full', i: 'differential', l: 'log' };

function readBackup(backup: Fields): SiteBackup {
  const type = backup.text('type').toLowerCase();
  const known = backupTypes[type] ?? (['full', 'differential', 'log'] as const).find((name) => name === type);
  if (known === undefined)
    throw new SiteError(`${backup.place}.type: D, I or L is wanted; it is ${show(backup.raw('type'))}`);
  return {
    databaseId: backup.number('databaseId'),
    type: known,
    startMs: backup.number('startMs'),
    endMs: backup.number('endMs'),
  };
}

/** One object of the file, and where it is. */
class Fields {
  readonly own: Readonly<Record<string, unknown>>;

  constructor(
    value: unknown,
    readonly place: string,
  ) {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      throw this.refuse('', 'an object', value);
    this.own = value as Record<string, unknown>;
  }

  raw(name: string): unknown {
    return Object.prototype.hasOwnProperty.call(this.own, name) ? this.own[name] : undefined;
  }

  text(name: string, otherwise?: string): string {
    const value = this.raw(name) ?? otherwise;
    if (typeof value !== 'string') throw this.refuse(name, 'a text', value);
    return value;
  }

  number(name: string, otherwise?: number): number {
    const value = this.raw(name) ?? otherwise;
    if (!isNumber(value)) throw this.refuse(name, 'a number', value);
    return value;
  }

  optionalNumber(name: string): number | null {
    return this.raw(name) == null ? null : this.number(name);
  }

  flag(name: string, otherwise: boolean): boolean {
    const value = this.raw(name) ?? otherwise;
    if (typeof value !== 'boolean') throw this.refuse(name, 'true or false', value);
    return value;
  }

  list(name: string): readonly unknown[] {
    const value = this.raw(name) ?? [];
    if (!Array.isArray(value)) throw this.refuse(name, 'a list', value);
    return value;
  }

  part(name: string): Fields {
    return new Fields(this.raw(name) ?? {}, this.at(name));
  }

  /** Reads a part; null if it is left out. */
  optional<T>(name: string, read: (part: Fields) => T): T | null {
    return this.raw(name) == null ? null : read(this.part(name));
  }

  parts(name: string): readonly Fields[] {
    return this.list(name).map((value, at) => new Fields(value, `${this.at(name)}[${at}]`));
  }

  texts(name: string): readonly string[] {
    const value = this.raw(name);
    if (typeof value === 'string') return value.split(/\r?\n/);
    return this.list(name).map((line, at) => {
      if (typeof line !== 'string') throw this.refuse(`${name}[${at}]`, 'a text', line);
      return line;
    });
  }

  numbers(name: string): readonly number[] {
    return this.list(name).map((value, at) => {
      if (!isNumber(value)) throw this.refuse(`${name}[${at}]`, 'a number', value);
      return value;
    });
  }

  /** Lists of this many numbers each. */
  rows(name: string, length: number): readonly Numbers[] {
    return this.list(name).map((row, at) => {
      if (!Array.isArray(row) || row.length < length || !row.every(isNumber))
        throw this.refuse(`${name}[${at}]`, `a list of ${length} numbers`, row);
      return row;
    });
  }

  private at(name: string): string {
    return [this.place, name].filter((part) => part !== '').join('.');
  }

  private refuse(name: string, wanted: string, value: unknown): SiteError {
    const place = this.at(name);
    return new SiteError(
      `${place === '' ? 'the site' : place}: ${wanted} is wanted; it is ${value === undefined ? 'missing' : show(value)}`,
    );
  }
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

function show(value: unknown): string {
  const text = JSON.stringify(value) ?? String(value);
  return text.length > 80 ? `${text.slice(0, 80)}...` : text;
}
