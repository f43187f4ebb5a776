/** What is under the pointer on the strips, and what the card says of it: answered by the columns as they were painted. Pure. */
import type { TimeWindow } from '../../../core/statistics/statistics';
import { createBusyColumns } from '../../../core/timeline/busy-bins';
import type { Gap } from '../../../protocol';
import { formatSpan, type Clock } from '../../model/clock';
import type { StripBox } from './strip-layout';
import { layoutGaps } from '../lanes/time-marks';
import { describeGap, type CardLine } from '../lanes/card-text';
import { shareOf, type PaintedStrips, type StripInput } from './strip-scene';
import { describeBusy, describeSample } from './strip-text';
import type { TaskHistory } from '../minimap/task-history';

export interface StripTargetInput extends StripInput {
  readonly gaps: readonly Gap[];
  readonly clock: Clock;
}

/** The lines about a strip at a pixel column; null where there is nothing to tell. */
export function describeStripAt(
  input: StripTargetInput,
  painted: PaintedStrips,
  history: TaskHistory,
  box: StripBox,
  column: number,
): readonly CardLine[] | null {
  const { view } = painted;
  if (column < 0 || column >= view.columns) return null;
  const columnMs = (view.endUtcMs - view.beginUtcMs) / view.columns;
  const under = { beginUtcMs: view.beginUtcMs + column * columnMs, endUtcMs: view.beginUtcMs + (column + 1) * columnMs };
  const gap = layoutGaps(input.gaps, view).find(({ from, end }) => column >= from && column < end);
  if (box.id !== 'busy') {
    const lines = describeSample(box.id, input.samples, under, input.clock, (span) => measureShare(input, history, span));
    return lines ?? (gap ? describeGap(gap.gap, input.clock) : describeNothing(under, input.clock));
  }
  const busyShare = shareAt(painted, column, 'busyMs');
  if (Number.isNaN(busyShare) && gap) return describeGap(gap.gap, input.clock);
  const overlapShare = shareAt(painted, column, 'overlapMs');
  return describeBusy({ span: under, busyShare, overlapShare, unknownDatabases: history.unknownDatabases }, input.clock);
}

const describeNothing = (under: TimeWindow, clock: Clock): readonly CardLine[] => [
  { text: 'Nothing was sampled here', kind: 'name' },
  { text: formatSpan(under, clock), kind: 'time' },
];

function shareAt({ busy }: PaintedStrips, column: number, part: 'busyMs' | 'overlapMs'): number {
  const observed = busy.observedMs[column]!;
  return observed > 0 ? Math.min(1, busy[part][column]! / observed) : NaN;
}

function measureShare({ columns, index, observation }: StripTargetInput, { busy }: TaskHistory, span: TimeWindow): number {
  const one = createBusyColumns(1);
  busy?.reduce(columns, index, observation, { ...span, columns: 1 }, one);
  return shareOf(one, one.busyMs)[0]!;
}
