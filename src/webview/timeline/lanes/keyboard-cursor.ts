/**
 * Where the keyboard is: at a checkpoint of the selected lane, or at a change or mark. It forgets a checkpoint that is
 * gone.
 */
import { formatCount } from '../../../core/format';
import { addToList } from '../../../core/lists';
import { findNeighbour } from '../../../core/timeline/lane-index';
import type { TimeWindow } from '../../../core/statistics/statistics';
import { formatMoment } from '../../model/clock';
import type { MeasuredCorner } from './measured-boxes';
import { centreMoment, showsAll, revealMoment, spanOf } from '../../model/time-window';
import type { CardLine, Target } from './hover-card';
import type { Plot } from './lanes-view';
import { describeChanges, type LaneView, type TimelineInput } from './timeline-scene';
import { listReached, nameMark } from './mark-layout';
import { describeHit, MOST_TOLD } from './timeline-target';
import { t } from '../../../core/language';

export const SELECT_FIRST = t('Select a lane with the up and down arrows first.');

/** What follows from a step: where to move the window, and what to say. */
export interface CursorStep {
  /** null: stays. */
  readonly window: TimeWindow | null;
  readonly text: string;
}

interface NotedMoment {
  readonly utcMs: number;
  readonly text: string;
}

/**
 * The lane above or below the selected one, at the ends the same one; without a selection the last or the first. null:
 * there are no lanes.
 */
export function nextLane({ lanes, selectedDatabaseId }: TimelineInput, step: 1 | -1): LaneView | null {
  const now = lanes.findIndex((lane) => lane.databaseId === selectedDatabaseId);
  const next =
    now < 0 ? (step === 1 ? 0 : lanes.length - 1) : Math.min(lanes.length - 1, Math.max(0, now + step));
  return lanes[next] ?? null;
}

/** CSS pixels from the left of the timeline. */
export const placeMoment = (utcMs: number, window: TimeWindow, plot: Plot): number =>
  plot.leftPx + ((utcMs - window.beginUtcMs) / spanOf(window)) * plot.widthPx;

export class KeyboardCursor {
  /** Row of the capture; null: none. */
  row: number | null = null;
  private moment: NotedMoment | null = null;

  /** Steps to the next or previous checkpoint of the selected lane. */
  step(input: TimelineInput, step: 1 | -1): CursorStep {
    const selected = input.lanes.find((lane) => lane.databaseId === input.selectedDatabaseId);
    if (!selected) return { window: null, text: SELECT_FIRST };
    const lane = input.index.lanes[selected.database];
    const row = lane ? findNeighbour(lane, input.columns, this.row, step, input.window) : null;
    if (row === null)
      return { window: null, text: step === 1 ? t('No later checkpoint.') : t('No earlier checkpoint.') };
    return this.goTo(row, selected, input);
  }

  /** Goes to one checkpoint of a lane. */
  goTo(row: number, lane: LaneView, input: TimelineInput): CursorStep {
    this.row = row;
    this.moment = null;
    const text = describeHit(input, lane, { row, count: 1, enlarged: false })
      .map((line) => line.text)
      .join(', ');
    return {
      window: revealMoment(
        input.window,
        input.bounds,
        input.columns.beginUtcMs[row]!,
        input.columns.durationMs[row]!,
      ),
      text,
    };
  }

  /** Steps to the next or previous change or mark, from the one reached before, else from the edge of the view. */
  stepMark(input: TimelineInput, step: 1 | -1): CursorStep {
    const { window } = input;
    const moments = listMoments(input);
    const from = this.moment?.utcMs ?? (step === 1 ? window.beginUtcMs - 1 : window.endUtcMs);
    const found =
      step === 1
        ? moments.find(({ utcMs }) => utcMs > from)
        : [...moments].reverse().find(({ utcMs }) => utcMs < from);
    if (!found)
      return {
        window: null,
        text: step === 1 ? t('No later change or mark.') : t('No earlier change or mark.'),
      };
    this.row = null;
    this.moment = found;
    const inView = showsAll(window, input.bounds) ? window : centreMoment(window, input.bounds, found.utcMs);
    return { window: inView, text: `${formatMoment(found.utcMs, input.clock)}, ${found.text}` };
  }

  /** What is said of the change or mark, at the top of the lanes; null if none is in view. */
  noted({ window, clock }: TimelineInput, plot: Plot): Target | null {
    const { moment } = this;
    if (!moment || moment.utcMs < window.beginUtcMs || moment.utcMs > window.endUtcMs) return null;
    const lines: readonly CardLine[] = [
      { text: moment.text, kind: 'name' },
      { text: formatMoment(moment.utcMs, clock), kind: 'time' },
    ];
    return {
      lines,
      at: { xPx: placeMoment(moment.utcMs, window, plot), yPx: 0 },
    };
  }

  /** Forgets everything. @returns false if there was nothing to forget */
  clear(): boolean {
    const wasSet = this.row !== null || this.moment !== null;
    this.row = null;
    this.moment = null;
    return wasSet;
  }

  /** Forgets a checkpoint that is not of the selected database, and everything reached in another capture. */
  keepOf(input: TimelineInput, before: TimelineInput | null): void {
    if (input.index !== before?.index) this.clear();
    const lane = input.lanes.find((candidate) => candidate.databaseId === input.selectedDatabaseId);
    if (this.row !== null && input.columns.database[this.row] !== lane?.database) this.row = null;
  }

  /**
   * Where measuring begins: at the checkpoint, else in the middle; in the selected lane, else in the first one in view.
   */
  corner(input: TimelineInput, firstLane: number): MeasuredCorner {
    const selected = input.lanes.findIndex(({ databaseId }) => databaseId === input.selectedDatabaseId);
    const utcMs = input.window.beginUtcMs + (this.anchor(input) ?? 0.5) * spanOf(input.window);
    return { utcMs, lane: selected < 0 ? firstLane : selected };
  }

  /** Share of the window's width at which the checkpoint begins; null if no checkpoint is reached and in view. */
  anchor(input: TimelineInput): number | null {
    if (this.row === null) return null;
    const share = (input.columns.beginUtcMs[this.row]! - input.window.beginUtcMs) / spanOf(input.window);
    return share >= 0 && share <= 1 ? share : null;
  }
}

/** Changes and marks inside the bounds in order of time; those of the same moment are joined. */
function listMoments({ changes, marks, databases, bounds }: TimelineInput): readonly NotedMoment[] {
  const names = new Map(databases.map(({ databaseId, name }) => [databaseId, name]));
  const all = [
    ...changes.map((change) => ({ utcMs: change.atUtcMs, text: describeChanges([change], names) })),
    ...listReached(marks, bounds).map((mark) => ({
      utcMs: Math.max(mark.beginUtcMs, bounds.beginUtcMs),
      text: `${nameMark(mark)}: ${mark.text}`,
    })),
  ];
  const byMoment = new Map<number, string[]>();
  for (const { utcMs, text } of all.sort((a, b) => a.utcMs - b.utcMs))
    if (utcMs >= bounds.beginUtcMs && utcMs <= bounds.endUtcMs) addToList(byMoment, utcMs, text);
  return [...byMoment].map(([utcMs, texts]) => {
    const rest = texts.length - MOST_TOLD;
    const told = [...texts.slice(0, MOST_TOLD), ...(rest > 0 ? [t('and {0} more', formatCount(rest))] : [])];
    return { utcMs, text: told.join('; ') };
  });
}
