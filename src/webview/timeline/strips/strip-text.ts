/** What the card under the pointer and the summary of the timeline say about the strips. */
import {
  NOT_OBSERVABLE,
  countOf,
  formatCount,
  formatDuration,
  formatPercent,
  formatShort,
} from '../../../core/format';
import type { TimeWindow } from '../../../core/statistics/statistics';
import { findSampleFrom, summarizeSeries, type SeriesSummary } from '../../../core/timeline/strip-columns';
import type { StripSamples } from '../../../core/timeline/strip-samples';
import { STRIP_IDS, STRIPS, type Strip, type StripId } from '../../../core/timeline/strips';
import { formatSpan, type Clock } from '../../model/clock';
import { type CardLine, describeGap } from '../lanes/hover-card';
import { createBusyColumns } from '../../../core/timeline/busy-bins';
import type { StripBox } from './strip-layout';
import { layoutGaps } from '../lanes/time-marks';
import { shareOf, type PaintedStrips } from './strip-scene';
import type { TaskHistory } from '../minimap/task-history';
import type { TimelineInput } from '../lanes/timeline-scene';
import { columnMs } from '../../../core/timeline/pixel-grid';
import { t } from '../../../core/language';

/** `12 ms`, `1,200 pages/s`. */
function formatStripValue(value: number, unit: Strip['unit']): string {
  if (unit === 'ms') return formatDuration(value);
  return unit === '%' ? formatPercent(value / 100) : t('{0} pages/s', formatCount(value));
}

/** The top of a scale, in as few letters as possible: `100 %`, `50 ms`, `2k/s`. */
export function formatScaleTop(top: number, unit: Strip['unit']): string {
  if (unit === '%') return `${top} %`;
  if (unit === 'ms') return top < 1000 ? `${formatShort(top)} ms` : `${formatShort(top / 1000)} s`;
  return top < 1000 ? `${formatShort(top)}/s` : `${formatCount(top / 1000)}k/s`;
}

/**
 * What stands in place of a missing scale: nothing was sampled, or nothing of it could be observed. null if there is a
 * scale.
 */
export function describeNoScale(id: StripId, samples: number, summaries: StripSummaries): string | null {
  if (id === 'busy' || summaries.get(id)?.some((summary) => summary !== null)) return null;
  return samples === 0 ? t('not sampled') : NOT_OBSERVABLE;
}

/** The lines about the checkpoint task under one pixel. Shares are from 0 to 1; NaN: not observed. */
function describeBusy(
  span: TimeWindow,
  busyShare: number,
  overlapShare: number,
  unknownDatabases: number,
  clock: Clock,
): readonly CardLine[] {
  const isSeen = !Number.isNaN(busyShare);
  const lines: CardLine[] = [
    { text: t('Checkpoint task'), kind: 'name' },
    { text: isSeen ? t('busy {0}', formatPercent(busyShare)) : t('not observed'), kind: 'duration' },
    { text: formatSpan(span, clock), kind: 'time' },
  ];
  if (isSeen && overlapShare > 0)
    lines.push({
      text: t(
        'two at once {0}: one was manual, from a backup, or of unknown cause',
        formatPercent(overlapShare),
      ),
      kind: 'note',
    });
  if (unknownDatabases > 0) lines.push({ text: describeUnknown(unknownDatabases), kind: 'note' });
  return lines;
}

const describeUnknown = (databases: number): string =>
  countOf(
    databases,
    t('{0} database with an unknown setting is not counted'),
    t('{0} databases with an unknown setting are not counted'),
  );

/**
 * The share of a sample that must be during checkpoints, or outside of them, to count as one of these (as in
 * core/write-work/latency-during.ts).
 */
const PURE_SHARE = 0.8;

/**
 * The lines about the sample with the highest value in a stretch of time; each further series has its own highest. null
 * if nothing was sampled.
 * @param busyShareOf how much of a stretch the checkpoint task was busy, 0 to 1; NaN: not observed
 */
export function describeSample(
  id: StripId,
  samples: StripSamples,
  under: TimeWindow,
  clock: Clock,
  busyShareOf: (span: TimeWindow) => number,
): readonly CardLine[] | null {
  const { series, seriesNames, unit } = STRIPS[id];
  const [firstName = ''] = seriesNames;
  const found = findUnder(samples, samples.values[series[0]!], under);
  if (!found) return null;
  const spanOf = (sample: number): TimeWindow => ({
    beginUtcMs: samples.beginUtcMs[sample]!,
    endUtcMs: samples.endUtcMs[sample]!,
  });
  const span = spanOf(found.sample);
  const lengthMs = span.endUtcMs - span.beginUtcMs;
  const told = series.map((name, i): CardLine => {
    // Each series is drawn by its own highest sample, which may not be that of the first series.
    const { sample } = findUnder(samples, samples.values[name], under)!;
    const value = samples.values[name][sample]!;
    const text = Number.isNaN(value)
      ? t('not observable, or nothing to average')
      : formatStripValue(value, unit);
    if (i === 0) return { text, kind: 'duration' };
    const when =
      sample === found.sample || Number.isNaN(value) ? '' : `, ${formatSpan(spanOf(sample), clock)}`;
    return { text: `${seriesNames[i]}: ${text}${when}`, kind: 'note' };
  });
  const lines: CardLine[] = [
    { text: t('{0}, whole instance', firstName), kind: 'name' },
    ...told,
    { text: formatSpan(span, clock), kind: 'time' },
    { text: t('average over {0}', formatDuration(lengthMs)), kind: 'note' },
  ];
  if (found.count > 1)
    lines.push({ text: t('highest of {0} samples under this pixel', found.count), kind: 'note' });
  const share = busyShareOf(span);
  if (!Number.isNaN(share))
    lines.push({ text: t('checkpoint task busy for {0} of it', formatPercent(share)), kind: 'note' });
  if (share < PURE_SHARE && share > 1 - PURE_SHARE)
    lines.push({
      text: t(
        'samples of {0} are too long to tell writes during checkpoints from others',
        formatDuration(lengthMs),
      ),
      kind: 'note',
    });
  return lines;
}

function findUnder(
  samples: StripSamples,
  values: Float32Array,
  under: TimeWindow,
): { readonly sample: number; readonly count: number } | null {
  let [sample, count] = [-1, 0];
  for (
    let i = findSampleFrom(samples, under.beginUtcMs);
    i < samples.samples && samples.beginUtcMs[i]! < under.endUtcMs;
    i++
  ) {
    count++;
    if (
      sample < 0 ||
      values[i]! > values[sample]! ||
      (Number.isNaN(values[sample]!) && !Number.isNaN(values[i]!))
    )
      sample = i;
  }
  return sample < 0 ? null : { sample, count };
}

/** For each series of a strip; null: no sample of it could be observed. */
type StripSummaries = ReadonlyMap<StripId, readonly (SeriesSummary | null)[]>;

/** Summarises all samples held. */
export function summarizeStrips(samples: StripSamples): StripSummaries {
  return new Map(
    STRIP_IDS.map((id) => [id, STRIPS[id].series.map((name) => summarizeSeries(samples.values[name]))]),
  );
}

/** One sentence about the strips that are shown. @param busyShare of all observed time, 0 to 1; null: not observed */
export function describeStrips(
  ids: readonly StripId[],
  summaries: StripSummaries,
  busyShare: number | null,
): string {
  if (ids.length === 0) return '';
  const parts = ids.map((id) => {
    if (id === 'busy')
      return busyShare === null
        ? t('checkpoints running: not observable')
        : t('a checkpoint running {0} of the observed time', formatPercent(busyShare));
    const { seriesNames, unit } = STRIPS[id];
    const [summary] = summaries.get(id) ?? [];
    const [name = ''] = seriesNames;
    if (!summary) return t('{0} of the whole instance: not observable', name);
    const [median, highest] = [summary.median, summary.highest].map((value) => formatStripValue(value, unit));
    return t(
      '{0} of the whole instance: {1} in the median sample, {2} in the highest',
      name,
      median!,
      highest!,
    );
  });
  return t('Strips above the lanes: {0}.', parts.join('; '));
}

/** The lines about a strip at a pixel column; null if there is nothing to say. */
export function describeStripAt(
  input: TimelineInput,
  painted: PaintedStrips,
  history: TaskHistory,
  box: StripBox,
  column: number,
): readonly CardLine[] | null {
  const { view } = painted;
  if (column < 0 || column >= view.columns) return null;
  const [beginUtcMs, endUtcMs] = [column, column + 1].map((at) => view.beginUtcMs + at * columnMs(view)) as [
    number,
    number,
  ];
  const under = { beginUtcMs, endUtcMs };
  const gap = layoutGaps(input.gaps, view).find(({ from, end }) => column >= from && column < end);
  if (box.id !== 'busy') {
    const lines = describeSample(box.id, input.samples, under, input.clock, (span) =>
      measureShare(input, history, span),
    );
    return lines ?? (gap ? describeGap(gap.gap, input.clock) : describeNothing(under, input.clock));
  }
  const { busy } = painted;
  const busyShare = shareOf(busy, busy.busyMs)[column]!;
  if (Number.isNaN(busyShare) && gap) return describeGap(gap.gap, input.clock);
  const overlapShare = shareOf(busy, busy.overlapMs)[column]!;
  return describeBusy(under, busyShare, overlapShare, history.unknownDatabases, input.clock);
}

const describeNothing = (under: TimeWindow, clock: Clock): readonly CardLine[] => [
  { text: t('Nothing was sampled here'), kind: 'name' },
  { text: formatSpan(under, clock), kind: 'time' },
];

function measureShare(
  { columns, index, observation }: TimelineInput,
  { busy }: TaskHistory,
  span: TimeWindow,
): number {
  const one = createBusyColumns(1);
  busy?.reduce(columns, index, observation, { ...span, columns: 1 }, one);
  return shareOf(one, one.busyMs)[0]!;
}
