/** The checkpoint task as tables: each database's delay behind the others, and the checkpoints beside the task. */
import { areApart, type EventsBusy } from '../advice/instance';
import type { ServerTime } from '../errorlog/server-clock';
import type { BesideTask } from '../task/checkpoint-task';
import type { TaskStatistics } from '../task/task-statistics';
import type { QueueBusy } from '../write-work/write-figures';
import { formatCount, formatDuration, formatPercent } from '../format';
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

const CAUSE_NAMES: Readonly<Record<BesideTask['cause'], string>> = {
  backup: t('backup'),
  unknown: t('not known'),
};

export function createBesideTable(
  task: TaskStatistics | null,
  localMsOf: ServerTime,
  nameOf: (database: number) => NamedDatabase,
): EvidenceTable {
  const beside = [...(task?.beside ?? [])].sort((a, b) => b.durationMs - a.durationMs);
  const rows = beside.slice(0, MOST_BESIDE).map(({ database, beginUtcMs, durationMs, overlapMs, cause }) => {
    const durations = [durationMs, overlapMs].map((ms) => writeFigure(ms, formatDuration));
    return writeRow(
      nameOf(database),
      writeMoment(beginUtcMs, localMsOf(beginUtcMs)),
      ...durations,
      writeCell(CAUSE_NAMES[cause]),
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
          'A backup if msdb shows one. Otherwise a manual CHECKPOINT, a snapshot or a shutdown: the events do not say which',
        ),
      ),
    ],
    rows,
  };
}
