/** The checkpoint that the keyboard has reached in the selected lane. It lets go of one that is not there any more. */
import { findNeighbour } from '../../core/picture/lane-index';
import { revealMoment, spanOf } from '../layout/time-window';
import type { TimeWindow } from '../../core/evidence/statistics';
import type { TimelineInput } from './timeline-scene';
import { describeHit } from './timeline-target';

/** What a step came to: where to move, and what to say. */
export interface CursorStep {
  /** null: nowhere. */
  readonly window: TimeWindow | null;
  readonly text: string;
}

export class KeyboardCursor {
  /** Row of the capture; null: none. */
  row: number | null = null;

  /** Steps to the next or previous checkpoint of the selected lane. */
  step(input: TimelineInput, step: 1 | -1): CursorStep {
    const selected = input.lanes.find((lane) => lane.databaseId === input.selectedDatabaseId);
    if (!selected) return { window: null, text: 'Select a lane with the up and down arrows first.' };
    const lane = input.index.lanes[selected.database];
    const row = lane ? findNeighbour(lane, input.columns, this.row, step, input.window) : null;
    if (row === null) return { window: null, text: step === 1 ? 'No later checkpoint.' : 'No earlier checkpoint.' };
    this.row = row;
    const text = describeHit(input, selected, { row, count: 1, enlarged: false })
      .map((line) => line.text)
      .join(', ');
    return { window: revealMoment(input.window, input.bounds, input.columns.beginUtcMs[row]!, input.columns.durationMs[row]!), text };
  }

  /** Forgets a checkpoint that is not of the selected database of this input. */
  keepOf(input: TimelineInput, before: TimelineInput | null): void {
    const lane = input.lanes.find((candidate) => candidate.databaseId === input.selectedDatabaseId);
    const stays = this.row !== null && input.index === before?.index && input.columns.database[this.row] === lane?.database;
    if (!stays) this.row = null;
  }

  /** Share of the window's width at which the checkpoint begins; null where there is none in view. */
  anchor(input: TimelineInput): number | null {
    if (this.row === null) return null;
    const share = (input.columns.beginUtcMs[this.row]! - input.window.beginUtcMs) / spanOf(input.window);
    return share >= 0 && share <= 1 ? share : null;
  }
}
