/** The time axis below the lanes by the chosen clock, and the labels of gaps and changes. D3 draws it as SVG. */
import { axisBottom } from 'd3-axis';
import { scaleUtc } from 'd3-scale';
import { select } from 'd3-selection';
import type { TimeWindow } from '../../../core/statistics/statistics';
import { showOn, withMilliseconds, withMinutes, withSeconds, type Clock } from '../../model/clock';
import { placeLabels } from './time-marks';
import type { Scene } from './paint-timeline';
import type { Plot } from './lanes-view';
import { labelMarks, type TimelineInput } from './timeline-scene';
import { toLocalMs, toUtcMs } from '../../../core/time';
import { createSvg, drawSvg } from '../../charts/svg-tree';
import { fillText, t } from '../../../core/language';

const DAY = t({ message: '{0} {1}', comment: ['On an axis: month, day of the month'] });
/** By the number of the month. */
const MONTHS = t({
  message: 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec',
  comment: ['Months on an axis, with one blank between them'],
}).split(' ');

/**
 * Text of a tick at a moment as the clock shows it (in its UTC parts): the date at midnight, else no more digits than
 * the distance of ticks needs.
 */
export function formatTimeTick(at: Date, stepMs: number): string {
  const ms = at.getTime();
  if (ms % 86_400_000 === 0) return fillText(DAY, MONTHS[at.getUTCMonth()] ?? '', at.getUTCDate());
  if (stepMs < 1000) return withMilliseconds(at);
  return stepMs < 60_000 ? withSeconds(at) : withMinutes(at);
}

const TICK_WIDTH_PX = 110;
/** CSS pixels from the top of the axis to the foot of its texts. */
const TEXT_FOOT_PX = 17;

export const createAxis = (): SVGElement =>
  drawSvg(createSvg('svg', { class: 'axis', 'aria-hidden': 'true' }));

/** Draws the axis below the lanes of this scene, and its labels. @param measure width of a text in CSS pixels */
export function drawAxis(
  svg: SVGElement,
  { window, clock, databases }: TimelineInput,
  { gaps, changes, layout }: Scene,
  { leftPx: left, widthPx: width }: Plot,
  measure: (text: string) => number,
): void {
  const labels = placeLabels(labelMarks(gaps, changes, databases, layout.pixelRatio), width, measure);
  const scale = scaleUtc()
    .domain([window.beginUtcMs, window.endUtcMs])
    .range([left, left + width]);
  const ticks = listClockTicks(window, clock, Math.max(2, Math.floor(width / TICK_WIDTH_PX)));
  const stepMs = ticks.length > 1 ? ticks[1]! - ticks[0]! : Infinity;
  // A label stands in the place of the times that it would touch.
  const isFree = (text: string, middlePx: number): boolean =>
    labels.every(
      (label) => Math.abs(label.middlePx - middlePx) > (measure(label.text) + measure(text)) / 2 + 4,
    );
  const tellTick = (at: Date): string => {
    const text = formatTimeTick(showOn(clock, at.getTime()), stepMs);
    return isFree(text, scale(at) - left) ? text : '';
  };
  const axis = axisBottom<Date>(scale)
    .tickValues(ticks.map((utcMs) => new Date(utcMs)))
    .tickSize(5)
    .tickPadding(4)
    .tickSizeOuter(0)
    .tickFormat(tellTick);
  const root = select(svg);
  const group = root.selectAll<SVGGElement, null>('g.ticks').data([null]).join('g').attr('class', 'ticks');
  group.call(axis).attr('font-size', null).attr('font-family', null);
  root
    .selectAll('text.mark')
    .data(labels)
    .join('text')
    .attr('class', (label) => `mark ${label.kind}`)
    .attr('text-anchor', 'middle')
    .attr('x', (label) => left + label.middlePx)
    .attr('y', TEXT_FOOT_PX)
    .text((label) => label.text);
}

/** Places of a window at which offsets are looked up; enough because a clock changes only twice a year. */
const PLACES = 16;

/**
 * Ticks at round times of the clock, even if summer time begins or ends between them. UTC milliseconds, in order, about
 * `count` of them.
 */
export function listClockTicks(window: TimeWindow, clock: Clock, count: number): readonly number[] {
  const spanMs = window.endUtcMs - window.beginUtcMs;
  const places = Array.from({ length: PLACES + 1 }, (_, i) => window.beginUtcMs + (spanMs * i) / PLACES);
  const offsets = new Set(places.map((utcMs) => clock.offsetMinutesAt(utcMs)));
  const ticks = [...offsets].flatMap((offset) =>
    scaleUtc()
      .domain([toLocalMs(window.beginUtcMs, offset), toLocalMs(window.endUtcMs, offset)])
      .ticks(count)
      .map((at) => toUtcMs(at.getTime(), offset))
      .filter((utcMs) => clock.offsetMinutesAt(utcMs) === offset),
  );
  return ticks.sort((a, b) => a - b);
}
