/**
 * A site that describes its checkpoints instead of listing them: groups of databases, and a workload from which a queue
 * makes the checkpoints. What comes out is a plain site, the same for the same file.
 */
import type { SiteCheckpoint, SiteDatabase } from './site';
import { type Asker, type Asking, type Queue, simulateQueue } from './queue';

interface Turns extends Asking {
  /** A name, or a pattern with `*`. */
  readonly databases: string;
}

/** Times are ISO 8601. Eight hours of a Monday from eight o'clock on, where nothing else is said. */
interface Workload {
  readonly from?: string;
  readonly hours?: number;
  readonly turns: readonly Turns[];
  readonly pauses?: { readonly everyMs: number; readonly forMs: number };
  readonly gaps?: readonly (readonly [string, string])[];
  readonly clockBack?: { readonly at: string; readonly byMs: number };
  /** A backup of each database in turn, again and again, each with a checkpoint at its begin, on the backup's task. */
  readonly backups?: readonly (Pick<Turns, 'databases' | 'takesMs'> & {
    readonly type: string;
    readonly from: string;
    readonly apartMs: number;
    readonly checkpointMs: number;
  })[];
  /**
   * A job that goes through the databases and asks for a checkpoint of each, or makes a snapshot of it; all day, or
   * `times` through them `everyMs`.
   */
  readonly manual?: readonly (Pick<Turns, 'databases' | 'takesMs'> & {
    readonly from: string;
    readonly restMs?: number;
    readonly everyMs?: number;
    readonly times?: number;
    readonly cause?: 'snapshot';
  })[];
  /** Lines of the error log behind each checkpoint of a database. */
  readonly errorLog?: readonly {
    readonly forEach: string;
    readonly afterMs: number;
    readonly lines: readonly string[];
  }[];
  readonly logWaits?: {
    readonly sampleMs: number;
    readonly writesPerSample: number;
    /** `during`: the checkpoints of which databases; absent: its own. */
    readonly databases: readonly {
      readonly databases: string;
      readonly during?: string;
      readonly outsideMs: number;
      readonly duringMs: number;
    }[];
  };
  readonly logSinceCheckpointMb?: {
    readonly everyMs: number;
    readonly databases: readonly { readonly databases: string; readonly mb: readonly [number, number] }[];
  };
}

/** One, or `names` with a `*`, of which there are `count`. */
interface DescribedDatabase extends Partial<SiteDatabase> {
  readonly names?: string;
  readonly count?: number;
  readonly targetSeconds: number;
}

export interface DescribedSite {
  readonly name: string;
  readonly server?: { readonly utcOffsetMin?: number };
  readonly databases: readonly DescribedDatabase[];
  readonly workload?: Workload;
}

type NamedDatabase = DescribedDatabase & Pick<SiteDatabase, 'id' | 'name'>;

const FIRST_USER_ID = 5;

/**
 * The databases of groups one by one: `Shop_*` 3 times is Shop_1, Shop_2, Shop_3. Ids that are not given follow each
 * other.
 */
export function listDatabases(described: readonly DescribedDatabase[]): readonly NamedDatabase[] {
  const taken = new Set(described.map(({ id }) => id));
  let next = FIRST_USER_ID;
  const takeId = (): number => {
    while (taken.has(next)) next++;
    return next++;
  };
  return described.flatMap(({ names, count = 1, ...one }) =>
    Array.from({ length: count }, (_, at) => ({
      ...one,
      id: one.id ?? takeId(),
      name: one.name ?? (names ?? '').replace('*', String(at + 1)),
    })),
  );
}

/** A name fits itself, whatever is in it, or a pattern. */
export function createFit(pattern: string, names: ReadonlySet<string>): (name: string) => boolean {
  if (names.has(pattern)) return (name) => name === pattern;
  const parts = pattern.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const whole = new RegExp(`^${parts.join('[^]*')}$`, 'u');
  return (name) => whole.test(name);
}

/** Those that a name or a pattern means. */
function choose(databases: readonly NamedDatabase[], pattern: string): readonly NamedDatabase[] {
  const fits = createFit(pattern, new Set(databases.map(({ name }) => name)));
  return databases.filter(({ name }) => fits(name));
}

/**
 * The queue of the one task: of automatic checkpoints, without those that are gone.
 * @param gone names of databases that use indirect checkpoints then
 */
export function describeQueue(
  { workload, server, databases }: DescribedSite,
  gone: ReadonlySet<string> = new Set(),
): Queue | null {
  if (workload === undefined) return null;
  const listed = listDatabases(databases).filter(
    ({ targetSeconds, name }) => targetSeconds === 0 && !gone.has(name),
  );
  return {
    ...createQueue(workload, server?.utcOffsetMin ?? 0),
    askers: listAskers(workload, listed, databases),
  };
}

/** A site in the form of the product's command. */
export function completeSite(site: DescribedSite): Record<string, unknown> {
  const databases = listDatabases(site.databases);
  const { workload } = site;
  if (workload === undefined) return { ...site, databases };
  const queue = describeQueue(site);
  const { fromMs, toMs } = createQueue(workload, 0);
  const backups = listBackups(workload, databases, toMs);
  const checkpoints = [
    ...(queue === null ? [] : listTurns(queue, 'automatic')),
    ...listIndirect(site, databases),
    ...backups.map(({ checkpoint }) => checkpoint),
    ...listManual(workload, databases, toMs),
  ].sort((a, b) => a[1] - b[1]);
  return {
    ...site,
    databases,
    observedFromMs: fromMs,
    observedToMs: toMs,
    gaps: (workload.gaps ?? []).map((gap) => gap.map((time) => Date.parse(time))),
    backups: backups.map(({ backup }) => backup),
    errorLog: writeErrorLog(site, databases, checkpoints),
    ...sampleLogs(workload, databases, checkpoints),
    ...moveClock(workload, checkpoints),
  };
}

function createQueue(
  { from = '2026-03-02T08:00:00Z', hours = 8, pauses }: Workload,
  utcOffsetMin: number,
): Queue {
  const fromMs = Date.parse(from);
  return {
    fromMs,
    toMs: fromMs + Math.round(hours * 3_600_000),
    utcOffsetMin,
    seed: 1,
    pauses: pauses ?? null,
    askers: [],
  };
}

function listAskers(
  { turns }: Workload,
  wanted: readonly NamedDatabase[],
  described: readonly DescribedDatabase[],
): readonly Asker[] {
  const names = new Set(listDatabases(described).map(({ name }) => name));
  const fits = turns.map((one) => ({ ...one, fit: createFit(one.databases, names) }));
  return wanted.map(({ id, name }) => ({ databaseId: id, askings: fits.filter(({ fit }) => fit(name)) }));
}

/** Each on a task of its own: nobody waits for anybody. */
function listIndirect(
  { workload, server, databases: described }: DescribedSite,
  databases: readonly NamedDatabase[],
): readonly SiteCheckpoint[] {
  if (workload === undefined) return [];
  const queue = createQueue(workload, server?.utcOffsetMin ?? 0);
  const indirect = databases.filter(({ targetSeconds }) => targetSeconds > 0);
  return listAskers(workload, indirect, described).flatMap((asker) =>
    listTurns({ ...queue, seed: queue.seed + asker.databaseId, askers: [asker] }, 'indirect'),
  );
}

function listTurns(queue: Queue, cause: SiteCheckpoint[3]): readonly SiteCheckpoint[] {
  return simulateQueue(queue).map(({ databaseId, beginMs, endMs }) => [databaseId, beginMs, endMs, cause]);
}

function listBackups(
  { backups = [] }: Workload,
  databases: readonly NamedDatabase[],
  toMs: number,
): readonly { readonly checkpoint: SiteCheckpoint; readonly backup: Record<string, unknown> }[] {
  return backups.flatMap(({ databases: pattern, type, from, apartMs, takesMs, checkpointMs }) =>
    choose(databases, pattern)
      .map(({ id }, at) => ({ databaseId: id, startMs: Date.parse(from) + at * apartMs }))
      .filter(({ startMs }) => startMs + takesMs <= toMs)
      .map(({ databaseId, startMs }) => ({
        checkpoint: [databaseId, startMs + 500, startMs + 500 + checkpointMs, 'backup'] as const,
        backup: { databaseId, type, startMs, endMs: startMs + takesMs },
      })),
  );
}

function listManual(
  { manual = [] }: Workload,
  databases: readonly NamedDatabase[],
  toMs: number,
): readonly SiteCheckpoint[] {
  return manual.flatMap(({ databases: pattern, from, takesMs, restMs = 50, everyMs, times = 1, cause }) => {
    const asked = choose(databases, pattern);
    const checkpoints: SiteCheckpoint[] = [];
    let walkMs = Date.parse(from);
    for (let at = 0, atMs = walkMs; atMs + takesMs <= toMs; atMs += takesMs + restMs) {
      checkpoints.push([asked[at % asked.length]?.id ?? 0, atMs, atMs + takesMs, cause ?? 'manual']);
      if (++at % (times * asked.length) === 0 && everyMs !== undefined)
        atMs = (walkMs += everyMs) - takesMs - restMs;
    }
    return checkpoints;
  });
}

function writeErrorLog(
  { workload, server }: DescribedSite,
  databases: readonly NamedDatabase[],
  checkpoints: readonly SiteCheckpoint[],
): readonly string[] {
  const shiftMs = (server?.utcOffsetMin ?? 0) * 60_000;
  return (workload?.errorLog ?? []).flatMap(({ forEach, afterMs, lines }) => {
    const id = databases.find(({ name }) => name === forEach)?.id;
    return checkpoints
      .filter(([databaseId]) => databaseId === id)
      .flatMap(([, , endMs]) => {
        const time = new Date(endMs + afterMs + shiftMs).toISOString().slice(0, 22).replace('T', ' ');
        return lines.map((line) => `${time} spid12s     ${line}`);
      });
  });
}

function sampleLogs(
  { logWaits, logSinceCheckpointMb, ...workload }: Workload,
  databases: readonly NamedDatabase[],
  checkpoints: readonly SiteCheckpoint[],
): Record<string, unknown> {
  const { fromMs, toMs } = createQueue(workload, 0);
  const waits = (logWaits?.databases ?? []).flatMap(({ databases: pattern, during, outsideMs, duringMs }) =>
    choose(databases, pattern).flatMap(({ id }) => {
      const ids = new Set(during === undefined ? [id] : choose(databases, during).map((one) => one.id));
      const own = checkpoints.filter(([databaseId]) => ids.has(databaseId));
      const { sampleMs = 1000, writesPerSample = 1 } = logWaits ?? {};
      return times(fromMs + sampleMs, toMs, sampleMs).map((endMs) => {
        let coveredMs = 0;
        for (const [, begin, end] of own)
          coveredMs += Math.max(0, Math.min(end, endMs) - Math.max(begin, endMs - sampleMs));
        const share = Math.min(1, coveredMs / sampleMs);
        const stallMs = Math.round(writesPerSample * (outsideMs + share * (duringMs - outsideMs)));
        return [id, endMs, writesPerSample, stallMs];
      });
    }),
  );
  const grown = (logSinceCheckpointMb?.databases ?? []).flatMap(({ databases: pattern, mb: [least, most] }) =>
    choose(databases, pattern).flatMap(({ id }) =>
      times(fromMs, toMs, logSinceCheckpointMb?.everyMs ?? 60_000).map((atMs, at) => [
        id,
        atMs,
        least + ((most - least) * (at % 10)) / 9,
      ]),
    ),
  );
  const samples = waits.sort((a, b) => (a[1] ?? 0) - (b[1] ?? 0));
  return {
    logWaits: logWaits === undefined ? null : { sampleMs: logWaits.sampleMs, samples },
    logSinceCheckpointMb: logSinceCheckpointMb === undefined ? null : { samples: grown },
  };
}

function times(fromMs: number, toMs: number, everyMs: number): readonly number[] {
  return Array.from({ length: Math.floor((toMs - fromMs) / everyMs) + 1 }, (_, at) => fromMs + at * everyMs);
}

/** A clock that is set back stamps what comes after it with times that were there before. */
function moveClock({ clockBack }: Workload, checkpoints: readonly SiteCheckpoint[]): Record<string, unknown> {
  if (clockBack === undefined) return { checkpoints };
  const atMs = Date.parse(clockBack.at);
  const read = (ms: number): number => (ms >= atMs ? ms - clockBack.byMs : ms);
  return {
    checkpoints: checkpoints.map(([databaseId, begin, end, cause]) => [
      databaseId,
      read(begin),
      read(end),
      cause,
    ]),
    clockBack: { atMs, byMs: clockBack.byMs },
    inTaskOrder: true,
    observedToMs: Math.max(...checkpoints.map(([, , end]) => read(end))) + 1,
  };
}
