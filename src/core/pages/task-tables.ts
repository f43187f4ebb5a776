/** The checkpoint task as tables: each database's delay behind the others, and the checkpoints beside the task. */
import { areApart, type EventsBusy } from '../advice/instance';
import type { ServerTime } from '../errorlog/server-clock';
import type { BesideTask } from '../task/checkpoint-task';
import type { TaskStatistics } from '../task/task-statistics';
import type { QueueBusy } from '../write-work/write-figures';
import type { Sides } from '../comparison/sides';
import type { CheckpointLoop } from '../task/loops';
import { countDatabases, formatCount, formatDuration, formatPercent } from '../format';
import {
  column,
  DATABASE_COLUMN,
  type EvidenceTable,
  type NamedDatabase,
  writeCell,
  writeFigure,
  writeMoment,
  writeRow,
} from './evidence-page';
import { joinSentences, t } from '../language';

/** If nothing was captured, "none was seen" would be wrong. */
export const NOTHING_CAPTURED = t('Not known: no checkpoints have been captured.');
/** Of more checkpoints beside the task than this, the longest are shown and the others counted. */
const MOST_BESIDE = 500;

/** A second witness beside the events, or the only one; '' if it was not seen. @param events null: there are none */
export function describeByWaits(byWaits: QueueBusy | null, events: EventsBusy | null = null): string {
  if (byWaits === null) return '';
  const [share, time] = [formatPercent(byWaits.share), formatDuration(byWaits.observedMs)];
  const said = t('Wait statistics (CHECKPOINT_QUEUE) show the checkpoint task busy {0} of {1}.', share, time);
  if (events === null || !areApart(byWaits, events)) return said;
  const other = formatPercent(events.busyShare);
  return joinSentences(
    said,
    byWaits.share > events.busyShare
      ? t('The events show {0}. What else keeps it busy is not known.', other)
      : t('The events show {0}. Compare both on the I/O page before you change anything.', other),
  );
}

/** The second of its waits; '': not known. */
export function describeHeldBack(byWaits: QueueBusy | null): string {
  if (byWaits?.heldBack === undefined) return '';
  const [slept, time] = [byWaits.heldBack.ms, byWaits.heldBack.ofMs].map(formatDuration);
  return t('Checkpoints throttled their writes for {0} of {1} (SLEEP_BPOOL_FLUSH).', slept!, time!);
}

/** null: nothing was observed. */
export function describeEvents({
  busyShare,
  busyShareMargin,
  coverage: { observedMs },
}: TaskStatistics): EventsBusy | null {
  return busyShare === null ? null : { busyShare, observedMs, margin: busyShareMargin ?? 0 };
}

export function describeTaskShare({
  busyShare,
  busyShareMargin,
  longestRun,
  coverage,
}: TaskStatistics): string {
  if (busyShare === null) return t('Checkpoint task: not measured.');
  const longest = longestRun === null ? null : longestRun.endUtcMs - longestRun.beginUtcMs;
  return joinSentences(
    t(
      'The one checkpoint task was busy {0} of {1}.',
      formatPercent(busyShare),
      formatDuration(coverage.observedMs),
    ),
    busyShareMargin === null || busyShareMargin < 0.001
      ? ''
      : t('The busy share may be off by {0}.', formatPercent(busyShareMargin)),
    longest === null ? '' : t('Its longest time without a pause was {0}.', formatDuration(longest)),
  );
}

export function createDelayTable(
  task: TaskStatistics | null,
  nameOf: (database: number) => NamedDatabase,
): EvidenceTable {
  const delays = [...(task?.delays ?? [])].sort((a, b) => (b.behindP95Ms ?? -1) - (a.behindP95Ms ?? -1));
  const rows = delays.map((delay) => {
    const behind = [delay.behindP50Ms, delay.behindP95Ms, delay.behindMaximumMs].map((ms) =>
      writeFigure(ms, formatDuration),
    );
    return writeRow(nameOf(delay.database), writeFigure(delay.checkpoints, formatCount), ...behind);
  });
  return {
    id: 'delays',
    heading: t('Delay behind other databases on the checkpoint task'),
    columns: [
      DATABASE_COLUMN,
      column.count('checkpoints', t('Checkpoints'), t('In busy periods whose start was seen')),
      column.ms(
        'behind_median',
        t('Behind, median'),
        t('From when the task became busy to this checkpoint: the longest it can have waited'),
      ),
      column.ms('behind_p95', t('Behind, p95'), t('The same, for 95 % of them')),
      column.ms('behind_longest', t('Behind, longest'), t('The same, the longest')),
    ],
    rows,
  };
}

/** Seconds, as whoever times a loop writes them. */
const writeSeconds = (ms: number): string => t('{0} s', formatCount(Math.round(ms / 1000)));

/** @param sides the changes that some are before and others after; null: it is not asked */
export function createLoopTable(
  loops: readonly CheckpointLoop[],
  localMsOf: ServerTime,
  sides: Pick<Sides, 'firstUtcMs' | 'lastUtcMs'> | null = null,
): EvidenceTable {
  const rows = loops.slice(-MOST_BESIDE).map((loop) => ({
    databaseId: null,
    cells: [
      writeMoment(loop.beginUtcMs, localMsOf(loop.beginUtcMs)),
      ...(sides === null ? [] : [writeCell(SIDE_NAMES[sideOfLoop(loop, sides)])]),
      writeCell(loop.sessionId === null ? t('not known') : `${loop.sessionId}`),
      writeFigure(loop.databases, formatCount),
      writeFigure(loop.endUtcMs - loop.beginUtcMs, writeSeconds),
    ],
  }));
  return {
    id: 'loops',
    heading: t('Loops of CHECKPOINT'),
    columns: [
      column.moment('began', t('Began'), t('When its first checkpoint began')),
      ...(sides === null ? [] : [column.word('side', t('Side'), t('Before or after the change'))]),
      column.word('session', t('Session'), t('The session_id of the session that ran it')),
      column.count('databases', t('Databases'), t('How many databases it went through')),
      column.ms('total', t('Total'), t('From the begin of its first checkpoint to the end of its last')),
    ],
    rows,
  };
}

const SIDE_NAMES = { before: t('before'), between: t('in between'), after: t('after') } as const;

function sideOfLoop(
  { beginUtcMs, endUtcMs }: CheckpointLoop,
  { firstUtcMs, lastUtcMs }: Pick<Sides, 'firstUtcMs' | 'lastUtcMs'>,
): keyof typeof SIDE_NAMES {
  if (endUtcMs <= firstUtcMs) return 'before';
  return beginUtcMs >= lastUtcMs ? 'after' : 'between';
}

/** The totals of a sentence; more are in the table. */
const MOST_TOTALS = 3;

/** "A loop of CHECKPOINT over 80 databases: 1,001 s and 639 s before, 8 s and 7 s after."; '' without loops. */
export function describeLoops(
  loops: readonly CheckpointLoop[],
  sides: Pick<Sides, 'firstUtcMs' | 'lastUtcMs'>,
): string {
  const totalsOf = (side: keyof typeof SIDE_NAMES): string => {
    const own = loops.filter((loop) => sideOfLoop(loop, sides) === side).slice(-MOST_TOTALS);
    const totals = own.map(({ beginUtcMs, endUtcMs }) => writeSeconds(endUtcMs - beginUtcMs));
    return totals.length === 0 ? t('none') : totals.join(', ');
  };
  if (loops.length === 0) return '';
  const most = Math.max(...loops.map(({ databases }) => databases));
  return t(
    'A loop of CHECKPOINT over {0} took: before {1}; after {2}.',
    countDatabases(most),
    totalsOf('before'),
    totalsOf('after'),
  );
}

const CAUSE_NAMES: Readonly<Record<BesideTask['cause'], string>> = {
  backup: t('backup'),
  snapshot: t('snapshot'),
  session: t('a session: CHECKPOINT or alike'),
  engine: t('another task of the engine'),
  'perhaps a job': t('perhaps a job: is_system was not recorded'),
  unknown: t('not known'),
};

export function createBesideTable(
  task: TaskStatistics | null,
  localMsOf: ServerTime,
  nameOf: (database: number) => NamedDatabase,
): EvidenceTable {
  const beside = [...(task?.beside ?? [])].sort((a, b) => b.durationMs - a.durationMs);
  const rows = beside.slice(0, MOST_BESIDE).map(({ sessionId, ...one }) => {
    const { database, beginUtcMs, durationMs, overlapMs, cause } = one;
    const durations = [durationMs, overlapMs].map((ms) => writeFigure(ms, formatDuration));
    return writeRow(
      nameOf(database),
      writeMoment(beginUtcMs, localMsOf(beginUtcMs)),
      ...durations,
      writeCell(CAUSE_NAMES[cause]),
      writeCell(sessionId === null ? t('not known') : `${sessionId}`),
    );
  });
  return {
    id: 'beside-task',
    heading:
      beside.length > MOST_BESIDE
        ? t(
            'Checkpoints outside the task (the longest {0} of the first {1})',
            formatCount(MOST_BESIDE),
            formatCount(beside.length),
          )
        : t('Checkpoints outside the task'),
    columns: [
      DATABASE_COLUMN,
      column.moment('began', t('Began'), t('When it began')),
      column.ms('duration', t('Duration'), t('From begin to end')),
      column.ms('overlap', t('Overlap'), t('How long it overlapped with checkpoints of the task')),
      column.word(
        'cause',
        t('Cause'),
        t(
          'A backup if msdb shows one, a snapshot if one of that moment is still there. Otherwise what a session asked for, or another task of the engine: a recovery or a shutdown',
        ),
      ),
      column.word('session', t('Session'), t('The session_id of the session that ran it')),
    ],
    rows,
  };
}
