/** Ours: the product's timeline with its style sheets, with data as from the dashboard. */
import '../../../media/styles/base.css';
import '../../../media/styles/timeline.css';
import { createLaneIndex, indexNewRows } from '../../../src/core/timeline/lane-index';
import { createClock } from '../../../src/webview/model/clock';
import { createModel } from '../../../src/webview/model/dashboard-model';
import { readTheme } from '../../../src/webview/kit/theme';
import { Timeline, type TimelineEvents } from '../../../src/webview/timeline/timeline';
import type { TimelineInput } from '../../../src/webview/timeline/lanes/timeline-scene';
import { moveWindow, nameLane, type Draw, type TimelineData } from '../contender';

/**
 * Higher than the others' frame by the parts above and below the lanes. All lanes are in view, and each is at least two
 * pixels high.
 */
const FRAME_HEIGHT_PX = 1100;
/** Room to pan before the first and after the last checkpoint. */
const BEYOND = 0.25;

export const draw: Draw = (frame, data) => {
  document.body.classList.add('vscode-dark');
  for (const [name, value] of Object.entries(COLOURS_OF_DARK))
    document.documentElement.style.setProperty(`--vscode-${name}`, value);
  const timeline = new Timeline(window, readTheme(document.body), EVENTS, 'summary');
  Object.assign(frame.style, { display: 'flex', height: `${FRAME_HEIGHT_PX}px` });
  frame.append(timeline.element);
  const input = makeInput(data);
  const pan = (share: number): void => timeline.update({ ...input, window: moveWindow(data.window, share) });
  pan(0);
  return { pan };
};

function makeInput({ columns, lanes, window }: TimelineData): TimelineInput {
  const index = createLaneIndex();
  indexNewRows(index, columns);
  const bounds = {
    beginUtcMs: moveWindow(window, -BEYOND).beginUtcMs,
    endUtcMs: moveWindow(window, BEYOND).endUtcMs,
  };
  const { databases, samples, marks } = createModel();
  return {
    columns,
    index,
    lanes: Array.from({ length: lanes }, (_, lane) => ({
      databaseId: lane + 5,
      name: nameLane(lane),
      database: lane,
      heavy: false,
      pinned: false,
    })),
    window,
    bounds,
    gaps: [],
    changes: [],
    clock: createClock('utc', { utcOffsetMinutes: 0, offsets: [] }),
    recoveryIntervalMs: 60_000,
    goal: null,
    selectedDatabaseId: null,
    laneHeight: 'all',
    strips: [],
    measured: null,
    observation: { ...bounds, gaps: [] },
    databases,
    samples,
    marks,
  };
}

const EVENTS: TimelineEvents = {
  onWindow() {},
  onFit() {},
  onSelect() {},
  onMeasure() {},
  onExportMeasured() {},
  onPin() {},
  onOpen() {},
  onList() {},
  onNextClock() {},
  measureRoom: () => FRAME_HEIGHT_PX,
  announce() {},
};

const COLOURS_OF_DARK = {
  foreground: '#cccccc',
  'editor-background': '#1f1f1f',
  'editor-foreground': '#cccccc',
  descriptionForeground: '#9d9d9d',
  'panel-border': '#2b2b2b',
  'font-family': 'system-ui, "DejaVu Sans", sans-serif',
  'font-size': '13px',
} as const;
