/**
 * The timeline of a capture as an SVG without a script: how busy the checkpoint task was, above a lane for each of the
 * heaviest databases. Lanes are reduced and shaped by the dashboard's own functions; colours are classes, so that the
 * page decides between light and dark.
 */
import { recoveryIntervalMs } from '../../../src/core/advice/facts';
import type { Observation } from '../../../src/core/capture/checkpoint-columns';
import { formatDate, formatTimeOfDay } from '../../../src/core/format';
import { escapeMarkup } from '../../../src/core/markup';
import { findAutomaticTime } from '../../../src/core/task/automatic-time';
import type { DatabaseChange } from '../../../src/core/task/change-moment';
import { BusyBins, createBusyColumns } from '../../../src/core/timeline/busy-bins';
import { createLaneIndex, indexNewRows, type LaneIndex } from '../../../src/core/timeline/lane-index';
import { createLanePicture, reduceLane } from '../../../src/core/timeline/pixel-columns';
import { columnMs, type PixelView, ViewGrids } from '../../../src/core/timeline/pixel-grid';
import { DAY_MS, MINUTE_MS, toLocalMs, toUtcMs } from '../../../src/core/time';
import { findLiving } from '../../../src/monitor/facts/captured-databases';
import { listLaneShapes } from '../../../src/webview/timeline/lanes/lane-shapes';
import { INK } from '../../../src/webview/timeline/lanes/lane-strip';
import { layoutTimeline } from '../../../src/webview/timeline/lanes/timeline-layout';
import { addToList } from '../../../src/core/lists';
import type { JudgedServer } from './reported-server';

type PicturedCapture = NonNullable<JudgedServer['capture']>;
type Pictured = Pick<JudgedServer, 'facts' | 'changes'> & { readonly capture: PicturedCapture };

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
const TICK_STEPS_MS = [1, 5, 15, 60, 180, 360, 720, 1_440, 7 * 1_440].map((minutes) => minutes * MINUTE_MS);

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
  const { beginUtcMs, endUtcMs } = observation;
  const view: PixelView = { beginUtcMs, endUtcMs, columns: layout.plotWidth };
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
function listHeaviest({ columns }: PicturedCapture): readonly number[] {
  const totals = new Map<number, number>();
  for (let row = 0; row < columns.rows; row++) {
    const database = columns.database[row] as number;
    totals.set(database, (totals.get(database) ?? 0) + (columns.durationMs[row] as number));
  }
  const sorted = [...totals].sort(([, a], [, b]) => b - a);
  return sorted.slice(0, MOST_LANES).map(([database]) => database);
}

function nameOf({ databases }: PicturedCapture, database: number): string {
  const { name = null, databaseId = 0 } = databases[database] ?? {};
  return name ?? `database_id ${databaseId}`;
}

/** Whole characters, so that no half of a pair is left. */
function cutName(name: string): string {
  const characters = [...name];
  if (characters.length <= NAME_CHARACTERS) return name;
  return `${characters.slice(0, NAME_CHARACTERS - 1).join('')}…`;
}

function drawLanes(
  { columns }: PicturedCapture,
  index: LaneIndex,
  lanes: readonly number[],
  view: PixelView,
  layout: ReturnType<typeof layoutTimeline>,
): string {
  const grids = new ViewGrids(view);
  const pictures = lanes.map((database) => {
    const picture = createLanePicture(view.columns);
    const budget = { rows: Infinity, exceeded: false };
    reduceLane(columns, index.lanes[database], grids, picture, index.recoveryIntervalMs, budget);
    return picture;
  });
  const paths = new Map<string, string[]>();
  for (const { x, y, width, height, ink } of listLaneShapes(layout, pictures, columnMs(view)))
    addToList(paths, ink >= INK.level ? `l${ink - INK.level}` : 'edge', writeBox(x, y, width, height));
  return writePaths(paths);
}

function drawBusy({ facts, capture, changes }: Pictured, index: LaneIndex, view: PixelView, left: number) {
  const { columns } = capture;
  const observation = capture.observation as Observation;
  const targets = new Map<number, number | null>();
  const changesOf = new Map<number, readonly DatabaseChange[]>();
  for (const [database, { databaseId, targetSeconds }] of findLiving(capture, facts)) {
    targets.set(database, targetSeconds);
    const own = changes.filter((change) => change.databaseId === databaseId);
    changesOf.set(database, own);
  }
  const bins = new BusyBins({ automatic: findAutomaticTime(targets, changesOf), gaps: observation.gaps });
  while (!bins.takeIn(columns, index, columns.rows));
  const busy = createBusyColumns(view.columns);
  bins.reduce(columns, index, observation, view, busy);
  const paths = new Map<string, string[]>();
  for (let column = 0; column < view.columns; column++) {
    const observed = busy.observedMs[column] as number;
    const share = observed > 0 ? Math.min(1, (busy.busyMs[column] as number) / observed) : 0;
    const height = Math.round(share * STRIP_PX * 10) / 10;
    const top = Math.round((STRIP_PX - height) * 10) / 10;
    if (height > 0) addToList(paths, 'busy', writeBox(left + column, top, 1, height));
  }
  return `${writePaths(paths)}<path class="line" d="M${left} ${STRIP_PX}h${view.columns}"/>`;
}

function drawGaps({ gaps }: Observation, view: PixelView, left: number, bottom: number): string {
  const paths = new Map<string, string[]>();
  for (const { beginUtcMs, endUtcMs } of gaps) {
    const from = Math.max(0, Math.floor(placeOf(view, beginUtcMs)));
    const end = Math.min(view.columns, Math.max(from + 1, Math.ceil(placeOf(view, endUtcMs))));
    if (endUtcMs > view.beginUtcMs && end > from)
      addToList(paths, 'gap', writeBox(left + from, 0, end - from, bottom));
  }
  return writePaths(paths);
}

const placeOf = (view: PixelView, utcMs: number): number => (utcMs - view.beginUtcMs) / columnMs(view);

/** Ticks at round times of the server's clock as it is now. */
function drawAxis(view: PixelView, left: number, top: number, utcOffsetMinutes: number): string {
  const stepMs =
    TICK_STEPS_MS.find((step) => step / columnMs(view) >= LEAST_TICK_PX) ?? Math.max(...TICK_STEPS_MS);
  const isDaily = stepMs >= DAY_MS;
  const parts = [`<path class="line" d="M${left} ${top}h${view.columns}"/>`];
  const first = Math.ceil(toLocalMs(view.beginUtcMs, utcOffsetMinutes) / stepMs) * stepMs;
  for (let localMs = first; toUtcMs(localMs, utcOffsetMinutes) < view.endUtcMs; localMs += stepMs) {
    const utcMs = toUtcMs(localMs, utcOffsetMinutes);
    const x = Math.round((left + placeOf(view, utcMs)) * 10) / 10;
    const isMidnight = localMs % DAY_MS === 0;
    const text =
      isDaily || isMidnight ? formatDate(utcMs, utcOffsetMinutes) : formatTimeOfDay(utcMs, utcOffsetMinutes);
    parts.push(`<path class="line" d="M${x} ${top}v4"/>`, drawText(x, top + 14, 'tick', text));
  }
  return parts.join('');
}

function drawText(x: number, y: number, kind: string, text: string): string {
  return `<text class="${kind}" x="${x}" y="${y}">${escapeMarkup(text)}</text>`;
}

const writeBox = (x: number, y: number, width: number, height: number): string =>
  `M${x} ${y}h${width}v${height}h${-width}z`;

/** One path for all boxes of a colour: a tenth of the size. */
function writePaths(paths: ReadonlyMap<string, readonly string[]>): string {
  return [...paths].map(([kind, boxes]) => `<path class="${kind}" d="${boxes.join('')}"/>`).join('');
}
