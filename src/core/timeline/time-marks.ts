/**
 * Marks on a server's time: the error log's messages about checkpoints, and the backups of msdb (docs/facts.md, SQL
 * Server 5 and 6).
 */
import type { LoggedScan, Recovery, SlowIo } from '../errorlog/error-log-message';
import { describeNotice, FAILURE_NAMES } from '../pages/error-log-words';
import type { ErrorLogReading } from '../errorlog/error-log';
import type { Logged } from '../errorlog/error-log-row';
import type { FlushCacheGroup } from '../errorlog/flush-cache-group';
import type { BackupRun } from '../task/backup-rows';
import { countOf, formatCount, formatDuration, formatNumber, countBuffers } from '../format';
import { addToList } from '../lists';
import type { Steps } from '../steps';
import { endSentence, joinSentences, t } from '../language';

/** A screen cannot show more apart, and 400 databases make tens of thousands of log backups a day. */
const MOST_TIME_MARKS = 5_000;
/**
 * This many of the newest marks of each kind are kept, however many others there are. Log backups count as a kind of
 * their own.
 */
const LEAST_OF_EACH = 500;
const MARKS_A_STEP = 5_000;
const MEGABYTE = 1024 * 1024;

export interface TimeMarks {
  /** By begin, oldest first. */
  readonly marks: readonly TimeMark[];
  /** Left out because there are too many; the largest number first. */
  readonly older: readonly OlderMarks[];
  /** How many were left out because their time in UTC is not known. */
  readonly undated: number;
}

/** A database that exists now. */
interface MarkedDatabase {
  readonly databaseId: number;
  readonly name: string;
}

export interface TimeMarkSources {
  /** null: no error log could be read, or none was read yet. */
  readonly reading: Pick<
    ErrorLogReading,
    'groups' | 'scans' | 'slowIos' | 'recoveries' | 'failures' | 'notices'
  > | null;
  /** By name of the database; null: could not be read. */
  readonly backups: ReadonlyMap<string, readonly BackupRun[]> | null;
  /** The database that had the id, or the name, at that time, if it exists now; else null. */
  readonly findById: (databaseId: number, atUtcMs: number) => MarkedDatabase | null;
  readonly findByName: (name: string, atUtcMs: number) => MarkedDatabase | null;
}

export const NO_TIME_MARKS: TimeMarks = { marks: [], older: [], undated: 0 };

/** @param most how many marks are given; they are the newest */
export function* listTimeMarks(sources: TimeMarkSources, most = MOST_TIME_MARKS): Steps<TimeMarks> {
  const found = new FoundMarks(sources);
  const { groups, scans, slowIos, recoveries, failures, notices } = sources.reading ?? NOTHING_READ;
  for (const group of groups)
    found.addLogged('FlushCache', group, { ...group, databaseName: null }, () => describeGroup(group));
  for (const scan of scans) {
    const about = {
      durationMs: scan.durationSeconds * 1000,
      databaseId: scan.databaseId,
      databaseName: null,
    };
    found.addLogged('buffer pool scan', scan, about, () => describeScan(scan));
  }
  for (const io of slowIos)
    found.addLogged('slow I/O', io, { ...io, durationMs: 0 }, () => describeSlowIo(io));
  for (const recovery of recoveries) {
    const durationMs = recovery.kind === 'completed' ? recovery.durationSeconds * 1000 : 0;
    found.addLogged('recovery', recovery, { ...recovery, durationMs }, () => describeRecovery(recovery));
  }
  for (const failure of failures)
    found.addLogged('notice', failure, { ...failure, durationMs: 0 }, () =>
      endSentence(FAILURE_NAMES[failure.messageId]),
    );
  for (const notice of notices) {
    const about = { databaseId: null, databaseName: null, ...notice, durationMs: 0 };
    found.addLogged('notice', notice, about, () => describeNotice(notice));
  }
  yield;
  let since = 0;
  for (const [name, runs] of sources.backups ?? []) {
    for (const run of runs) found.addBackup(name, run);
    since += runs.length;
    if (since < MARKS_A_STEP) continue;
    since = 0;
    yield;
  }
  return { ...(yield* chooseNewest(found.byClass, most)), undated: found.undated };
}

const NOTHING_READ = { groups: [], scans: [], slowIos: [], recoveries: [], failures: [], notices: [] };

/** A mark whose words are written only if it is among those that are given. */
type Unwritten = Pick<TimeMark, 'beginUtcMs' | 'endUtcMs'> & { readonly write: () => TimeMark };

/** What a message is about. It is logged at the end of it. */
interface About {
  readonly durationMs: number;
  readonly databaseId: number | null;
  /** null: the message names none. */
  readonly databaseName: string | null;
}

/** The name of each kind of mark; log backups have one of their own. */
type MarkClass = TimeMarkKind | 'log backup';

/** One mark of a class, and any other number of them. */
const CLASS_NAMES: Readonly<Record<MarkClass, readonly [one: string, more: string]>> = {
  FlushCache: [t('{0} FlushCache message'), t('{0} FlushCache messages')],
  'buffer pool scan': [t('{0} buffer pool scan'), t('{0} buffer pool scans')],
  'slow I/O': [t('{0} slow I/O report'), t('{0} slow I/O reports')],
  backup: [t('{0} backup'), t('{0} backups')],
  'log backup': [t('{0} log backup'), t('{0} log backups')],
  recovery: [t('{0} recovery'), t('{0} recoveries')],
  notice: [t('{0} notice'), t('{0} notices')],
};

class FoundMarks {
  readonly byClass = new Map<MarkClass, Unwritten[]>();
  undated = 0;

  constructor(private readonly sources: TimeMarkSources) {}

  addLogged(
    kind: TimeMarkKind,
    { atUtcMs: endUtcMs, sureness }: Logged,
    about: About,
    describe: () => string,
  ): void {
    if (endUtcMs === null) {
      this.undated++;
      return;
    }
    const { durationMs, databaseId, databaseName } = about;
    const beginUtcMs = endUtcMs - durationMs;
    const write = (): TimeMark => {
      const { findById, findByName } = this.sources;
      const named = databaseName === null ? null : findByName(databaseName, endUtcMs);
      const owner = databaseId === null ? named : findById(databaseId, endUtcMs);
      const database =
        databaseName ?? owner?.name ?? (databaseId === null ? null : t('database {0}', databaseId));
      const text =
        sureness === 'assumed' ? joinSentences(describe(), t('Its UTC time is assumed.')) : describe();
      return { kind, beginUtcMs, endUtcMs, databaseId: owner?.databaseId ?? null, database, text };
    };
    addToList(this.byClass, kind, { beginUtcMs, endUtcMs, write });
  }

  addBackup(name: string, run: BackupRun): void {
    const { beginUtcMs, endUtcMs } = run;
    const write = (): TimeMark => {
      const databaseId = this.sources.findByName(name, beginUtcMs)?.databaseId ?? null;
      return { kind: 'backup', beginUtcMs, endUtcMs, databaseId, database: name, text: describeBackup(run) };
    };
    addToList(this.byClass, run.type === 'log' ? 'log backup' : 'backup', { beginUtcMs, endUtcMs, write });
  }
}

/** Takes the newest of each class first, so that log backups do not crowd out a storm; then of all others. */
function* chooseNewest(
  byClass: ReadonlyMap<MarkClass, Unwritten[]>,
  most: number,
): Steps<Pick<TimeMarks, 'marks' | 'older'>> {
  const classes = [...byClass.values()];
  for (const list of classes) {
    list.sort(compareNewest);
    yield;
  }
  const each = Math.min(LEAST_OF_EACH, Math.floor(most / Math.max(1, classes.length)));
  const first = classes.flatMap((list) => list.slice(0, each));
  const rest = classes.flatMap((list) => list.slice(each, most)).sort(compareNewest);
  const chosen = [...first, ...rest.slice(0, most - first.length)];
  yield;
  chosen.sort((a, b) => a.beginUtcMs - b.beginUtcMs || a.endUtcMs - b.endUtcMs);
  return { marks: chosen.map(({ write }) => write()), older: listOlder(byClass, new Set(chosen)) };
}

function listOlder(
  byClass: ReadonlyMap<MarkClass, readonly Unwritten[]>,
  chosen: ReadonlySet<Unwritten>,
): readonly OlderMarks[] {
  const older = [...byClass].flatMap(([one, list]) => {
    // In order from the newest, so those that were chosen come first.
    const first = list.findIndex((mark) => !chosen.has(mark));
    const newest = list[first];
    const text = countOf(list.length - first, ...CLASS_NAMES[one]);
    return newest === undefined ? [] : [{ text, count: list.length - first, lastUtcMs: newest.endUtcMs }];
  });
  return older.sort((a, b) => b.count - a.count).map(({ text, lastUtcMs }) => ({ text, lastUtcMs }));
}

const compareNewest = (a: Unwritten, b: Unwritten): number =>
  b.endUtcMs - a.endUtcMs || b.beginUtcMs - a.beginUtcMs;

/** "bufs" of the log are pages of 8 KB. If lines are mixed, only the first line is believed. */
function describeGroup(group: FlushCacheGroup): string {
  const { pages, writes, megabytesPerSecond, avoidedPages, averageWriteLatencyMs } = group;
  const figures = [
    countOf(pages, t('{0} dirty page'), t('{0} dirty pages')),
    countOf(writes, t('{0} write'), t('{0} writes')),
    ...(megabytesPerSecond === null ? [] : [`${formatNumber(megabytesPerSecond, 2)} MB/s`]),
    ...(averageWriteLatencyMs === null ? [] : [t('{0} a write', formatDuration(averageWriteLatencyMs))]),
  ].join(', ');
  return joinSentences(
    t('Checkpoint of {0}: {1}.', formatDuration(group.durationMs), figures),
    avoidedPages === null
      ? ''
      : countOf(avoidedPages, t('{0} new dirty page avoided.'), t('{0} new dirty pages avoided.')),
    group.state === 'whole' ? '' : t('The message is incomplete or mixed with others.'),
  );
}

function describeScan({
  durationSeconds,
  operation,
  command,
  scannedBuffers,
  iteratedBuffers,
}: LoggedScan): string {
  return t(
    'Scan of the buffer pool for {0}: {1} of {2}, {3} of {4}.',
    formatDuration(durationSeconds * 1000),
    operation,
    command,
    formatCount(scannedBuffers),
    countBuffers(iteratedBuffers),
  );
}

function describeSlowIo({ occurrences, thresholdSeconds, durationMs, file }: SlowIo): string {
  const requests = countOf(occurrences, t('{0} I/O request'), t('{0} I/O requests'));
  const threshold = formatDuration(thresholdSeconds * 1000);
  return durationMs === null
    ? t('{0} over {1}: {2}', requests, threshold, file)
    : t('{0} over {1}, the longest {2}: {3}', requests, threshold, formatDuration(durationMs), file);
}

function describeRecovery(recovery: Recovery): string {
  if (recovery.kind === 'checkpoint') return t('Recovery writes a checkpoint.');
  const duration = formatDuration(recovery.durationSeconds * 1000);
  return recovery.redoMs === null
    ? t('Recovery in {0}.', duration)
    : t('Recovery in {0}, redo {1}.', duration, formatDuration(recovery.redoMs));
}

const BACKUP_NAMES: Readonly<Record<BackupRun['type'], string>> = {
  full: t('Full backup'),
  differential: t('Differential backup'),
  log: t('Log backup'),
};

function describeBackup({ type, bytes, beginUtcMs, endUtcMs }: BackupRun): string {
  const megabytes = bytes / MEGABYTE;
  const size = formatNumber(megabytes, megabytes < 10 ? 1 : 0);
  return t('{0} of {1} MB in {2}.', BACKUP_NAMES[type], size, formatDuration(endUtcMs - beginUtcMs));
}

/**
 * What is drawn over the lanes beside checkpoints: moments and stretches of time from the error log, msdb or the
 * catalog.
 */
export const TIME_MARK_KINDS = [
  'FlushCache',
  'buffer pool scan',
  'slow I/O',
  'backup',
  'recovery',
  'notice',
] as const;

/**
 * FlushCache: a logged long checkpoint; buffer pool scan: message 898; slow I/O: message 833; backup: a run in msdb;
 * recovery: of a database; notice: a checkpoint that failed, a full log, a latch time-out, a trace flag or a recovery
 * interval that was changed.
 */
export type TimeMarkKind = (typeof TIME_MARK_KINDS)[number];

/** The kinds as a reader sees them. */
export const MARK_NAMES: Readonly<Record<TimeMarkKind, string>> = {
  FlushCache: 'FlushCache',
  'buffer pool scan': t('buffer pool scan'),
  'slow I/O': t('slow I/O'),
  backup: t('backup'),
  recovery: t('recovery'),
  notice: t('notice'),
};

/** Marks of one sort that are left out because there are more than can be drawn. They are the oldest. */
export interface OlderMarks {
  /** How many of what: "1,204 log backups". */
  readonly text: string;
  /** When the newest of them ended. */
  readonly lastUtcMs: number;
}

export interface TimeMark {
  readonly kind: TimeMarkKind;
  readonly beginUtcMs: number;
  /** The same as beginUtcMs: a moment. */
  readonly endUtcMs: number;
  /** null: of the instance, or of a database that has no id now. */
  readonly databaseId: number | null;
  /** The name as the source has it; null: of the instance. */
  readonly database: string | null;
  /** What the source says, with its figures, as one short sentence. */
  readonly text: string;
}
