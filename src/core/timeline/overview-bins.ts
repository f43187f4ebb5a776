import type { CheckpointColumns } from '../capture/checkpoint-columns';
import type { TimeWindow } from '../statistics/statistics';
import { TimeBins } from './time-bins';

/** More than a screen has pixels; so few that a checkpoint of hours touches few. */
const MOST_BINS = 8_192;

/** The longest checkpoint of all databases in each stretch of the whole time. Rows that are appended cost by what they are, in whatever order they come. */
export class OverviewBins {
  /** Per bin the longest checkpoint that touches it, milliseconds plus one, so that one of 0 ms is told from none. */
  private readonly bins = new TimeBins(MOST_BINS, 1, Math.max);
  private takenRows = 0;

  /** Takes in rows that it has not seen, at most this many. @returns whether all of them are in */
  takeIn(columns: CheckpointColumns, mostRows: number): boolean {
    const until = Math.min(columns.rows, this.takenRows + mostRows);
    for (; this.takenRows < until; this.takenRows++) this.add(columns.beginUtcMs[this.takenRows]!, columns.durationMs[this.takenRows]!);
    return until === columns.rows;
  }

  /** Fills `longestMs`, spread evenly over a window, with the longest checkpoint of each part, to a bin; -1 where there is none. */
  reduce({ beginUtcMs, endUtcMs }: TimeWindow, longestMs: Float64Array): void {
    longestMs.fill(-1);
    const { bins } = this;
    const [longest] = bins.series as readonly [Float64Array];
    const partMs = (endUtcMs - beginUtcMs) / longestMs.length;
    for (let bin = Math.max(0, bins.binOf(beginUtcMs)); bin < bins.count; bin++) {
      const from = bins.beginUtcMs + bin * bins.binMs;
      if (from >= endUtcMs) break;
      if (longest[bin] === 0) continue;
      const first = Math.max(0, Math.floor((from - beginUtcMs) / partMs));
      const last = Math.min(longestMs.length - 1, Math.max(first, Math.ceil((from + bins.binMs - beginUtcMs) / partMs) - 1));
      for (let part = first; part <= last; part++) longestMs[part] = Math.max(longestMs[part]!, longest[bin]! - 1);
    }
  }

  private add(beginUtcMs: number, durationMs: number): void {
    const { bins } = this;
    const endUtcMs = beginUtcMs + Math.max(1, durationMs);
    bins.cover(beginUtcMs, endUtcMs);
    const [longest] = bins.series as readonly [Float64Array];
    const last = Math.ceil((endUtcMs - bins.beginUtcMs) / bins.binMs) - 1;
    for (let bin = bins.binOf(beginUtcMs); bin <= last; bin++) longest[bin] = Math.max(longest[bin]!, durationMs + 1);
  }
}
