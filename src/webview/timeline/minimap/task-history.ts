/**
 * How busy the checkpoint task was, and the longest checkpoints, over the whole time. Kept from frame to frame; only
 * new rows are added.
 */
import { findAutomaticTime, type AutomaticTime } from '../../../core/task/automatic-time';
import type { ChangeMoment } from '../../../core/task/change-moment';
import { BusyBins } from '../../../core/timeline/busy-bins';
import { OverviewBins } from '../../../core/timeline/time-bins';
import type { ChangeView, DatabaseView } from '../../../protocol';
import type { TimelineInput } from '../lanes/timeline-scene';
import { addToList } from '../../../core/lists';

type TaskHistoryInput = Pick<TimelineInput, 'columns' | 'index' | 'databases' | 'changes' | 'gaps'>;

/** Rows read in a frame: some 8 ms. */
const ROWS_A_FRAME = 32_768;

export class TaskHistory {
  /** null until all rows of a capture were read once. */
  busy: BusyBins | null = null;
  overview = new OverviewBins();
  /** Databases that may or may not use automatic checkpoints; they are not counted. */
  unknownDatabases = 0;
  /** Rises with each change. */
  version = 0;
  /** Being built; replaces `busy` when all rows are in. */
  private coming: BusyBins | null = null;
  private taken: TaskHistoryInput | null = null;
  private scopeKey = '';

  /**
   * Takes in new rows, as many as a frame has time for.
   * @returns whether those were all; else another frame is needed
   */
  takeIn(input: TaskHistoryInput): boolean {
    const before = this.taken;
    this.taken = input;
    if (before?.index !== input.index)
      [this.busy, this.overview, this.scopeKey] = [null, new OverviewBins(), ''];
    if (before === null || isOtherScope(before, input) || this.scopeKey === '') this.rescope(input);
    if (before?.columns !== input.columns || this.coming) this.version++;
    const isSeen = this.overview.takeIn(input.columns, 4 * ROWS_A_FRAME);
    const isDone = (this.coming ?? this.busy)?.takeIn(input.columns, input.index, ROWS_A_FRAME) ?? true;
    if (isDone && this.coming) [this.busy, this.coming] = [this.coming, null];
    if (!isSeen || !isDone) this.version++;
    return isSeen && isDone;
  }

  /** Settings and gaps arrive again and again unchanged. Only if they differ are all rows read again. */
  private rescope({ databases, changes, gaps }: TaskHistoryInput): void {
    const automatic = findAutomaticDatabases(databases, changes);
    const key = JSON.stringify([...automatic].map(([database, pieces]) => [database, ...pieces]));
    this.unknownDatabases = databases.filter(
      ({ targetSeconds }, database) => targetSeconds === null && !automatic.has(database),
    ).length;
    // The end of a lasting gap moves with every look, but stays after all that was recorded.
    if (key === this.scopeKey && (this.coming ?? this.busy)?.goOnWith(gaps)) return;
    this.scopeKey = key;
    this.coming = new BusyBins({ automatic, gaps });
  }
}

const isOtherScope = (a: TaskHistoryInput, b: TaskHistoryInput): boolean =>
  a.databases !== b.databases || a.changes !== b.changes || a.gaps !== b.gaps;

/** When each database used automatic checkpoints, by its index in the capture. */
function findAutomaticDatabases(
  databases: readonly DatabaseView[],
  changes: readonly ChangeView[],
): AutomaticTime {
  const indexes = new Map(databases.map(({ databaseId }, database) => [databaseId, database]));
  const byDatabase = new Map<number, ChangeMoment[]>();
  for (const change of changes) {
    const database = indexes.get(change.databaseId);
    if (database !== undefined) addToList(byDatabase, database, change);
  }
  return findAutomaticTime(
    new Map(databases.map(({ targetSeconds }, database) => [database, targetSeconds])),
    byDatabase,
  );
}
