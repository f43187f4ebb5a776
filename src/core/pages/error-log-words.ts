/** What is said of an error log in sentences: its long checkpoints, its lines, and its times. */
import type { ErrorLogReading } from '../errorlog/error-log';
import type { FailedCheckpoint, Notice } from '../errorlog/error-log-message';
import type { Logged } from '../errorlog/error-log-row';
import { FLUSHES_DIFFER } from '../advice/limits';
import type { FlushCacheGroup } from '../errorlog/flush-cache-group';
import { readLogDate } from '../errorlog/log-date';
import {
  countDatabases,
  countOf,
  countSome,
  formatCount,
  formatDateTime,
  formatDuration,
  formatTimeOfDay,
  countCheckpoints,
} from '../format';
import type { EvidencePage } from './evidence-page';
import { joinSentences, listSentences, t } from '../language';
import { HOUR_MS, MINUTE_MS } from '../time';

const TARGET = 'target_recovery_time';
const LONGEST_QUOTED = 200;
/** The trace flag that turns automatic checkpoints off. */
const NO_AUTOMATIC = 3505;

/** The id of the database that has this name now; null if none has. */
type IdOf = (name: string) => number | null;

/** When it was logged, by the server's own clock. */
export const atOf = ({ logDateLocal }: Logged): number => readLogDate(logDateLocal) ?? 0;

export const longestOf = (groups: readonly FlushCacheGroup[]): number =>
  groups.reduce((most, { durationMs }) => Math.max(most, durationMs), 0);

/** What the messages of long checkpoints are seen against. */
interface FlushMarks {
  /** The whole hours of the day, from 0, from which and to which all came; null: all day long, or too few to tell. */
  readonly hours: readonly [number, number] | null;
  /** Of each database that was given a target recovery time within the log: when, and its messages. */
  readonly changed: readonly { readonly atMs: number; readonly groups: readonly FlushCacheGroup[] }[];
}

/** Times are those of the server's clock. */
export function markFlushes(
  idOf: IdOf,
  { groups, changes }: ErrorLogReading,
  byDatabase: readonly (readonly FlushCacheGroup[])[],
): FlushMarks {
  const changedMs = new Map<number | null, number | null>();
  for (const { option, value, databaseName, logDateLocal } of changes)
    if (option.toLowerCase() === TARGET)
      changedMs.set(idOf(databaseName), Number(value) > 0 ? readLogDate(logDateLocal) : null);
  const changed = byDatabase.flatMap((own) => {
    const { databaseId } = own[0]!;
    const atMs = databaseId === null ? null : (changedMs.get(databaseId) ?? null);
    return atMs === null ? [] : [{ atMs, groups: own }];
  });
  return { hours: findHours(groups), changed };
}

/**
 * The first sentences: what could not be read, how many checkpoints were long, when, and whether any was since a change.
 * Of what could not be read nothing is denied.
 */
export function describeFlushes(
  reading: ErrorLogReading,
  databases: number,
  marks: FlushMarks,
): Required<Pick<EvidencePage, 'title' | 'summary'>> {
  const { groups, slowIos, failures, notices, unread } = reading;
  const none = t(
    'So no checkpoint that it logs took longer than the recovery interval. Shorter ones are not logged.',
  );
  const troubles = [
    countSome(
      failures.length,
      t('{0} message says that a checkpoint failed or came too late.'),
      t('{0} messages say that checkpoints failed or came too late.'),
    ),
    ...notices
      .filter((one) => one.kind === 'trace flag' && one.flag === NO_AUTOMATIC && one.isOn)
      .slice(-1)
      .map(describeNotice),
    countSome(
      slowIos.reduce((sum, { occurrences }) => sum + occurrences, 0),
      t('{0} read or write took over 15 s.'),
      t('{0} reads or writes took over 15 s.'),
    ),
  ];
  const title = groups.length === 0 ? t('No FlushCache message in what was read.') : nameLong(groups, marks);
  if (unread.lines === 0) {
    const others = slowIos.length === 0 ? t('It logs no I/O over 15 s.') : '';
    const found = groups.length === 0 ? none : describeLong(reading, databases, marks);
    return { title, summary: joinSentences(found, ...troubles, others) };
  }
  return {
    title: countOf(
      unread.lines,
      t('{0} line about checkpoints could not be read.'),
      t('{0} lines about checkpoints could not be read.'),
    ),
    summary: joinSentences(
      ...unread.first.map((line) => t('“{0}”', line.slice(0, LONGEST_QUOTED))),
      ...(groups.length === 0 ? [] : [title, describeLong(reading, databases, marks)]),
      ...troubles,
    ),
  };
}

function nameLong(groups: readonly FlushCacheGroup[], { hours }: FlushMarks): string {
  const checkpoints = countCheckpoints(groups.length);
  return hours === null
    ? t('{0} took longer than the recovery interval.', checkpoints)
    : t(
        '{0} took longer than the recovery interval, all between {1} and {2}.',
        checkpoints,
        ...hours.map(writeHour),
      );
}

function describeLong(reading: ErrorLogReading, databases: number, marks: FlushMarks): string {
  const { groups, period } = reading;
  const longest = formatDuration(longestOf(groups));
  return joinSentences(
    t('{0}; the longest took {1}.', countDatabases(databases), longest),
    describeSinceChange(reading, databases, marks),
    period === null || period.lastLocalMs === period.firstLocalMs
      ? ''
      : t('The log covers {0}.', formatDuration(period.lastLocalMs - period.firstLocalMs)),
  );
}

/** Whether those that were changed have had messages of checkpoints that began since; '': none was changed. */
function describeSinceChange(
  { period, unread }: ErrorLogReading,
  databases: number,
  { hours, changed }: FlushMarks,
): string {
  if (changed.length === 0 || period === null) return '';
  const lastMs = Math.max(...changed.map(({ atMs }) => atMs));
  const { length: messages } = changed.flatMap(({ atMs, groups }) =>
    groups.filter((one) => atOf(one) - one.durationMs > atMs),
  );
  if (messages === 0 && unread.lines > 0) return '';
  // The end of the next whole time of these hours, or of a whole day.
  const endsMs =
    hours === null ? lastMs + 24 * HOUR_MS : nextTimeOfDay(nextTimeOfDay(lastMs, hours[0]), hours[1]);
  const early =
    hours === null
      ? t('none, but no full day has passed since')
      : t('none, but these hours have not come since');
  const none = endsMs > period.lastLocalMs ? early : t('none');
  const count = messages > 0 ? formatCount(messages) : none;
  const seen = messages > 0 ? countOf(messages, t('{0} message'), t('{0} messages')) : none;
  const last = formatDateTime(lastMs, 0).slice(0, 16);
  if (changed.length === 1)
    return databases === 1
      ? t('Since its change on {0}: {1}.', last, seen)
      : t('1 of them was changed on {0}; its messages since: {1}.', last, count);
  return changed.length === databases && changed.every(({ atMs }) => lastMs - atMs < MINUTE_MS)
    ? t('Since their change on {0}: {1}.', last, seen)
    : t(
        '{0} of them were changed, the last on {1}; their messages since: {2}.',
        formatCount(changed.length),
        last,
        count,
      );
}

function nextTimeOfDay(afterMs: number, hour: number): number {
  const today = new Date(afterMs).setUTCHours(hour, 0, 0, 0);
  return today > afterMs ? today : today + 24 * HOUR_MS;
}

const writeHour = (hour: number): string => formatTimeOfDay(hour * HOUR_MS, 0);

/** Fewer can be in a few hours by chance. */
const LEAST_FOR_HOURS = 5;
const MOST_HOURS = 8;

function findHours(groups: readonly FlushCacheGroup[]): FlushMarks['hours'] {
  const hours = [
    ...new Set(groups.map(({ logDateLocal }) => new Date(readLogDate(logDateLocal) ?? NaN).getUTCHours())),
  ].sort((a, b) => a - b);
  const breaks = hours.map((hour, at) => (hours[at + 1] ?? hours[0]! + 24) - hour);
  const longest = breaks.indexOf(Math.max(...breaks));
  if (groups.length < LEAST_FOR_HOURS || !(25 - breaks[longest]! <= MOST_HOURS)) return null;
  return [hours[(longest + 1) % hours.length]!, (hours[longest]! + 1) % 24];
}

/** How many lines were read, and what the log does not say. */
export function describeAccount({ counts, unrecognised }: ErrorLogReading): readonly string[] {
  const { read, parsed, noise, unrecognised: unknown } = counts.lines;
  const isCut = unknown > 0 && unrecognised.length < counts.unrecognised;
  return [
    joinSentences(
      t(
        'Lines read: {0} = {1} about checkpoints + {2} known but not used here + {3} unrecognised.',
        formatCount(read),
        formatCount(parsed),
        formatCount(noise),
        formatCount(unknown),
      ),
      isCut ? t('The first {0} of the unrecognised lines are shown.', formatCount(unrecognised.length)) : '',
    ),
    joinSentences(
      t(
        'SQL Server writes a FlushCache message only when a checkpoint takes longer than the recovery interval, one minute unless it was changed.',
      ),
      t('A checkpoint without a message can still be long.'),
      FLUSHES_DIFFER,
    ),
  ];
}

/** Says once which messages are not whole, and which times are not sure. */
export function describeTimes({
  groups,
  scans,
  slowIos,
  failures,
  changes,
  recoveries,
  notices,
}: ErrorLogReading): readonly string[] {
  const logged: readonly Logged[] = [
    ...[...groups, ...scans, ...slowIos, ...failures],
    ...[...changes, ...recoveries, ...notices],
  ];
  const parts = groups.filter(({ state }) => state !== 'whole').length;
  const undated = logged.filter(({ atUtcMs }) => atUtcMs === null).length;
  const assumed = logged.filter(({ sureness }) => sureness === 'assumed').length;
  return listSentences(
    countSome(
      parts,
      t('{0} FlushCache message lacks a line, or has lines of other messages in it.'),
      t('{0} FlushCache messages lack a line, or have lines of other messages in them.'),
    ),
    countSome(
      undated,
      t(
        'UTC time of {0} message: not known. It has no date, or no known UTC offset, or that time came twice.',
      ),
      t(
        'UTC time of {0} messages: not known. They have no date, or no known UTC offset, or that time came twice.',
      ),
    ),
    countSome(
      assumed,
      t('UTC time of {0} message: assumed, from the offset of another time.'),
      t('UTC time of {0} messages: assumed, from the offset of another time.'),
    ),
  );
}

/** What became of a checkpoint. */
export const FAILURE_NAMES: Readonly<Record<FailedCheckpoint['messageId'], string>> = {
  3619: t('No space in the log for the checkpoint record'),
  5901: t('The checkpoint failed'),
  9002: t('The log is full and waits for a checkpoint'),
};

/** What a trace flag does while it is on. Others are not read. */
const FLAGS = new Map([
  [890, t('keeps scans of the buffer pool out of the error log (message 898)')],
  [3449, t('leaves out the flush of the buffer pool in backups, restores and new databases')],
  [3468, t('turns indirect checkpoints of tempdb off')],
  [3502, t('prints begin and end of each checkpoint in the error log')],
  [3504, t('logs a FlushCache message for each checkpoint')],
  [3505, t('turns automatic checkpoints off')],
]);

/** A notice as a sentence. */
export function describeNotice(notice: Notice): string {
  switch (notice.kind) {
    case 'trace flag': {
      const effect = FLAGS.get(notice.flag) ?? '';
      return notice.isOn
        ? t('Trace flag {0} was turned on: it {1}.', notice.flag, effect)
        : t('Trace flag {0} was turned off. While on, it {1}.', notice.flag, effect);
    }
    case 'recovery interval':
      return t(
        'The recovery interval was changed from {0} to {1} minutes; 0 means one minute.',
        notice.fromMinutes,
        notice.toMinutes,
      );
    case 'full log':
      return t('The log is full because of {0}.', notice.reason);
    case 'latch time-out':
      return notice.seconds === null
        ? t('A latch was waited for too long (message {0}).', notice.messageId)
        : t(
            'A latch was waited for {0} (message {1}).',
            formatDuration(notice.seconds * 1000),
            notice.messageId,
          );
  }
}
