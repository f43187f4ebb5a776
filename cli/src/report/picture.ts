/**
 * The timeline of a capture as an SVG without a script: how busy the checkpoint task was, above a lane for each of the
 * heaviest databases. Lanes are reduced and shaped by the dashboard's own functions; colours are classes, so that the
 * page decides between light and dark.
 */
import { type Facts, recoveryIntervalMs } from '../../../src/core/advice/facts';
import type { CaptureRecord } from '../../../src/core/capture/capture-record';
import { identityOf } from '../../../src/core/capture/catalog';
import type { Observation } from '../../../src/core/capture/checkpoint-columns';
import { formatDate, formatTimeOfDay } from '../../../src/core/format';
import { escapeMarkup } from '../../../src/core/markup';
import { findAutomaticTime } from '../../../src/core/task/automatic-time';
import type { DatabaseChange } from '../../../src/core/task/change-moment';
import { BusyBins, createBusyColumns } from '../../../src/core/timeline/busy-bins';
import { createLaneIndex, indexNewRows, type LaneIndex } from '../../../src/core/timeline/lane-index';
import { createLanePicture, reduceLane } from '../../../src/core/timeline/pixel-columns';
import { columnMs, type PixelView, ViewGrids } from '../../../src/core/timeline/pixel-grid';
import { HOUR_MS, toLocalMs, toUtcMs } from '../../../src/core/time';
import { listLaneShapes } from '../../../src/webview/timeline/lanes/lane-shapes';
import { INK } from '../../../src/webview/timeline/lanes/lane-strip';
import { layoutTimeline } from '../../../src/webview/timeline/lanes/timeline-layout';
import { addToList } from '../../../src/core/lists';

interface Pictured {
  readonly facts: Facts;
  readonly capture: CaptureRecord;
  readonly changes: readonly DatabaseChange[];
}

const MOST_LANES = 25;
const WIDTH_PX = 1000;
const LANE_PX = 20;
const STRIP_PX = 48;
const AXIS_PX = 22;
const SPACE_PX = 8;
const NAME_CHARACTERS = 26;
/** The width at which a name of that many characters ends. */
const NAME_PX = 186;
const LEAST_TICK_PX = 90;
const TICK_STEPS_MS = [
  HOUR_MS / 60,
  HOUR_MS / 12,
  HOUR_MS / 4,
  HOUR_MS,
  3 * HOUR_MS,
  6 * HOUR_MS,
  12 * HOUR_MS,
  24 * HOUR_MS,
  7 * 24 * HOUR_MS,
];

/** null if there is nothing to draw. @param label what a reader hears who cannot see it */
export function drawTimeline({ facts, capture, changes }: Pictured, label: string): string | null {
  const { observation, columns } = capture;
  if (observation === null || columns.rows === 0 || observation.endUtcMs <= observation.beginUtcMs)
    return null;
  const index = createLaneIndex();
  index.recoveryIntervalMs = recoveryIntervalMs(facts.server);
  indexNewRows(index, columns);
  const lanes = listHeaviest(capture);
  const laneTop = STRIP_PX + SPACE_PX;
  const height = laneTop + lanes.length * LANE_PX + AXIS_PX;
  const layout = layoutTimeline({
    widthPx: WIDTH_PX,
    heightPx: lanes.length * LANE_PX,
    pixelRatio: 1,
    laneCount: lanes.length,
    pinnedLanes: 0,
    scrollTopPx: 0,
    widestNamePx: NAME_PX,
    laneHeight: 'normal',
  });
  const view: PixelView = {
    beginUtcMs: observation.beginUtcMs,
    endUtcMs: observation.endUtcMs,
    columns: layout.plotWidth,
  };
  const bottom = laneTop + lanes.length * LANE_PX;
  const parts = [
    drawGaps(observation, view, layout.plotLeft, bottom),
    drawText(4, STRIP_PX / 2, 'name', 'checkpoint task'),
    drawBusy({ facts, capture, changes }, index, view, layout.plotLeft),
    ...lanes.map((database, lane) =>
      drawText(4, laneTop + lane * LANE_PX + LANE_PX / 2, 'name', cutName(nameOf(capture, database))),
    ),
    `<g transform="translate(0 ${laneTop})">${drawLanes(capture, index, lanes, view, layout)}</g>`,
    drawAxis(view, layout.plotLeft, bottom, facts.server.utcOffsetMinutes),
  ];
  return `<svg viewBox="0 0 ${WIDTH_PX} ${height}" role="img" aria-label="${escapeMarkup(label)}">\n${parts.filter((part) => part !== '').join('\n')}\n</svg>`;
}

/** Indexes of the databases with most time in checkpoints. */
function listHeaviest({ columns }: CaptureRecord): readonly number[] {
  const totals = new Map<number, number>();
  for (let row = 0; row < columns.rows; row++) {
    const database = columns.database[row] as number;
    totals.set(database, (totals.get(database) ?? 0) + (columns.durationMs[row] as number));
  }
  return [...totals]
    .sort(([, a], [, b]) => b - a)
    .slice(0, MOST_LANES)
    .map(([database]) => database);
}

function nameOf({ databases }: CaptureRecord, database: number): string {
  const { name = null, databaseId = 0 } = databases[database] ?? {};
  return name ?? `database_id ${databaseId}`;
}

/** Whole characters, so that no half of a pair is left. */
function cutName(name: string): string {
  const characters = [...name];
  return characters.length <= NAME_CHARACTERS
    ? name
    : `${characters.slice(0, NAME_CHARACTERS - 1).join('')}…`;
}

function drawLanes(
  { columns }: CaptureRecord,
  index: LaneIndex,
  lanes: readonly number[],
  view: PixelView,
  layout: ReturnType<typeof layoutTimeline>,
): string {
  const grids = new ViewGrids(view);
  const pictures = lanes.map((database) => {
    const picture = createLanePicture(view.columns);
    reduceLane(columns, index.lanes[database], grids, picture, index.recoveryIntervalMs, {
      rows: Infinity,
      exceeded: false,
    });
    return picture;
  });
  const paths = new Map<string, string[]>();
  for (const { x, y, width, height, ink } of listLaneShapes(layout, pictures, columnMs(view)))
    add(paths, ink >= INK.level ? `l${ink - INK.level}` : 'edge', x, y, width, height);
  return writePaths(paths);
}

function drawBusy(
  { facts, capture, changes }: Pictured,
  index: LaneIndex,
  view: PixelView,
  left: number,
): string {
  const { columns, databases } = capture;
  const observation = capture.observation as Observation;
  const now = new Map(facts.databases.map((database) => [database.databaseId, database]));
  const targets = new Map<number, number | null>();
  const changesOf = new Map<number, readonly DatabaseChange[]>();
  databases.forEach(({ databaseId, createdLocal }, database) => {
    const living = now.get(databaseId);
    if (
      living === undefined ||
      (createdLocal !== null && identityOf({ databaseId, createdLocal }) !== identityOf(living))
    )
      return;
    targets.set(database, living.targetSeconds);
    changesOf.set(
      database,
      changes.filter((change) => change.databaseId === databaseId),
    );
  });
  const bins = new BusyBins({ automatic: findAutomaticTime(targets, changesOf), gaps: observation.gaps });
  while (!bins.takeIn(columns, index, columns.rows));
  const busy = createBusyColumns(view.columns);
  bins.reduce(columns, index, observation, view, busy);
  const paths = new Map<string, string[]>();
  for (let column = 0; column < view.columns; column++) {
    const observed = busy.observedMs[column] as number;
    const share = observed > 0 ? Math.min(1, (busy.busyMs[column] as number) / observed) : 0;
    const height = Math.round(share * STRIP_PX * 10) / 10;
    if (height > 0) add(paths, 'busy', left + column, Math.round((STRIP_PX - height) * 10) / 10, 1, height);
  }
  return `${writePaths(paths)}<path class="line" d="M${left} ${STRIP_PX}h${view.columns}"/>`;
}

function drawGaps({ gaps }: Observation, view: PixelView, left: number, bottom: number): string {
  const paths = new Map<string, string[]>();
  for (const { beginUtcMs, endUtcMs } of gaps) {
    const from = Math.max(0, Math.floor(placeOf(view, beginUtcMs)));
    const end = Math.min(view.columns, Math.max(from + 1, Math.ceil(placeOf(view, endUtcMs))));
    if (endUtcMs > view.beginUtcMs && end > from) add(paths, 'gap', left + from, 0, end - from, bottom);
  }
  return writePaths(paths);
}

const placeOf = (view: PixelView, utcMs: number): number => (utcMs - view.beginUtcMs) / columnMs(view);

/** Ticks at round times of the server's clock as it is now. */
function drawAxis(view: PixelView, left: number, top: number, utcOffsetMinutes: number): string {
  const stepMs =
    TICK_STEPS_MS.find((step) => step / columnMs(view) >= LEAST_TICK_PX) ??
    (TICK_STEPS_MS[TICK_STEPS_MS.length - 1] as number);
  const isDaily = stepMs >= 24 * HOUR_MS;
  const parts = [`<path class="line" d="M${left} ${top}h${view.columns}"/>`];
  const first = Math.ceil(toLocalMs(view.beginUtcMs, utcOffsetMinutes) / stepMs) * stepMs;
  for (let localMs = first; toUtcMs(localMs, utcOffsetMinutes) < view.endUtcMs; localMs += stepMs) {
    const utcMs = toUtcMs(localMs, utcOffsetMinutes);
    const x = Math.round((left + placeOf(view, utcMs)) * 10) / 10;
    const isMidnight = localMs % (24 * HOUR_MS) === 0;
    const text =
      isDaily || isMidnight ? formatDate(utcMs, utcOffsetMinutes) : formatTimeOfDay(utcMs, utcOffsetMinutes);
    parts.push(`<path class="line" d="M${x} ${top}v4"/>`, drawText(x, top + 14, 'tick', text));
  }
  return parts.join('');
}

function drawText(x: number, y: number, kind: string, text: string): string {
  return `<text class="${kind}" x="${x}" y="${y}">${escapeMarkup(text)}</text>`;
}

function add(
  paths: Map<string, string[]>,
  kind: string,
  x: number,
  y: number,
  width: number,
  height: number,
): void {
  addToList(paths, kind, `M${x} ${y}h${width}v${height}h${-width}z`);
}

/** One path for all boxes of a colour: a tenth of the size. */
function writePaths(paths: ReadonlyMap<string, readonly string[]>): string {
  return [...paths].map(([kind, boxes]) => `<path class="${kind}" d="${boxes.join('')}"/>`).join('');
}
