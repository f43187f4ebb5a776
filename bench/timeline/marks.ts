/**
 * Reads the marks of our timeline from its canvas and compares them with those of an exact painter. It finds plot and lanes in pictures in which one
 * checkpoint fills each lane, and does not ask the timeline. A mark is what differs from the picture without checkpoints. Runs in the browser.
 */
import type { CheckpointColumns } from '../../src/core/capture/checkpoint-columns';
import type { TimeWindow } from '../../src/core/statistics/statistics';
import { makeCheckpoints } from '../checkpoints';
import { LANES, windowOf } from './contender';
import { showTimeline } from './contenders/ours';
import { addDifferences, compareLane, paintExactly, type Differences } from './exact-painter';

/** How much the view is enlarged. Odd numbers, so that pixels and bins do not coincide. */
const ZOOMS = [1, 2.7, 13.3, 71, 530, 4_100, 29_000];
const PLACES = [0.037, 0.481, 0.913];
/** Levels of detail may take some frames to build. */
const FRAMES_TO_SETTLE = 20;

interface ZoomDifferences extends Differences {
  readonly zoom: number;
}

export async function compareMarks(rows: number): Promise<readonly ZoomDifferences[]> {
  const whole = windowOf(rows);
  const columns = makeCheckpoints(rows, LANES);
  const plot = await findPlot(whole);
  const ground = await new Picture(fillLanes([], whole), whole).read(whole);
  const picture = new Picture(columns, whole);
  const found: ZoomDifferences[] = [];
  for (const zoom of ZOOMS) {
    const differences: Differences[] = [];
    for (const place of zoom === 1 ? [0] : PLACES) {
      const window = partOf(whole, zoom, place);
      const image = await picture.read(window);
      const exact = paintExactly(columns, LANES, window, plot.end - plot.from);
      differences.push(...plot.lanes.map((rowsOfLane, lane) => compareLane(exact[lane]!, findMarks(image, ground, plot, rowsOfLane))));
    }
    found.push({ zoom, ...addDifferences(differences) });
  }
  return found;
}

function partOf({ beginUtcMs, endUtcMs }: TimeWindow, zoom: number, place: number): TimeWindow {
  const span = endUtcMs - beginUtcMs;
  const begin = beginUtcMs + (span - span / zoom) * place;
  return { beginUtcMs: begin, endUtcMs: begin + span / zoom };
}

/** A timeline with some checkpoints, in a frame of its own. */
class Picture {
  private readonly show: (window: TimeWindow) => void;
  private readonly frame = document.body.appendChild(document.createElement('div'));

  constructor(columns: CheckpointColumns, whole: TimeWindow) {
    this.show = showTimeline(this.frame, { columns, lanes: LANES, window: whole });
  }

  /** The pixels of its canvas for a window. */
  async read(window: TimeWindow): Promise<ImageData> {
    this.show(window);
    for (let frame = 0; frame < FRAMES_TO_SETTLE; frame++) await new Promise((resolve) => requestAnimationFrame(resolve));
    const canvas = this.frame.querySelector<HTMLCanvasElement>('.lanes-canvas')!;
    return canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
  }

  remove(): void {
    this.frame.remove();
  }
}

interface Plot {
  /** Columns of the canvas; end excluded. */
  readonly from: number;
  readonly end: number;
  readonly lanes: readonly Span[];
}

interface Span {
  readonly from: number;
  readonly end: number;
}

/** Fills every other lane, to tell neighbours apart. */
async function findPlot(whole: TimeWindow): Promise<Plot> {
  const read = async (lanes: readonly number[]): Promise<ImageData> => {
    const picture = new Picture(fillLanes(lanes, whole), whole);
    const image = await picture.read(whole);
    picture.remove();
    return image;
  };
  const all = Array.from({ length: LANES }, (_, lane) => lane);
  const [ground, even, odd] = [
    await read([]),
    await read(all.filter((lane) => lane % 2 === 0)),
    await read(all.filter((lane) => lane % 2 === 1)),
  ];
  const middle = ground.width >> 1;
  const spansOf = (image: ImageData): readonly Span[] => findSpans(image.height, (y) => differs(image, ground, middle, y));
  const lanes = [...spansOf(even), ...spansOf(odd)].sort((a, b) => a.from - b.from);
  if (lanes.length !== LANES) throw new Error(`${lanes.length} of ${LANES} lanes are in view.`);
  const [across] = findSpans(even.width, (x) => differs(even, ground, x, lanes[0]!.from));
  return { ...across!, lanes };
}

/** One checkpoint in each of the lanes, longer than the window on both sides. */
function fillLanes(lanes: readonly number[], { beginUtcMs, endUtcMs }: TimeWindow): CheckpointColumns {
  const span = endUtcMs - beginUtcMs;
  return {
    rows: lanes.length,
    beginUtcMs: Float64Array.from(lanes, () => beginUtcMs - span / 2),
    durationMs: Uint32Array.from(lanes, () => span * 2),
    database: Uint16Array.from(lanes),
  };
}

function findSpans(length: number, isIn: (at: number) => boolean): readonly Span[] {
  const spans: Span[] = [];
  for (let at = 0; at < length; at++) {
    if (!isIn(at)) continue;
    const from = at;
    while (at < length && isIn(at)) at++;
    spans.push({ from, end: at });
  }
  return spans;
}

function differs(image: ImageData, ground: ImageData, x: number, y: number): boolean {
  const at = (y * image.width + x) * 4;
  for (let part = 0; part < 4; part++) if (image.data[at + part] !== ground.data[at + part]) return true;
  return false;
}

/** A byte for each column of a lane: 1 if any of its pixels is marked. */
function findMarks(image: ImageData, ground: ImageData, plot: Plot, rowsOfLane: Span): Uint8Array {
  const marks = new Uint8Array(plot.end - plot.from);
  for (let y = rowsOfLane.from; y < rowsOfLane.end; y++)
    for (let x = plot.from; x < plot.end; x++) if (differs(image, ground, x, y)) marks[x - plot.from] = 1;
  return marks;
}
