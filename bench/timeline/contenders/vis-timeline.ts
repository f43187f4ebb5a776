/**
 * vis-timeline: a group for each database, a range item for each checkpoint. Stacking and moving by hand are off, because they cost it most. It has no mode
 * for many items. Its lanes keep their height, so only some 40 are in view and drawn: with all 500 in view nothing came in 60 s at 1,000 items.
 */
import { Timeline } from 'vis-timeline/standalone';
import 'vis-timeline/styles/vis-timeline-graph2d.min.css';
import { COLOURS, HEIGHT_PX, bandOf, moveWindow, nameLane, type Draw } from '../contender';

export const draw: Draw = async (frame, { columns, lanes, window }) => {
  const { rows, beginUtcMs, durationMs, database } = columns;
  addColours();
  const items = Array.from({ length: rows }, (_, row) => ({
    id: row,
    group: database[row]!,
    start: beginUtcMs[row]!,
    end: beginUtcMs[row]! + durationMs[row]!,
    content: '',
    className: `band-${bandOf(durationMs[row]!)}`,
  }));
  const groups = Array.from({ length: lanes }, (_, lane) => ({ id: lane, content: nameLane(lane) }));
  let show: () => void = () => {};
  const shown = new Promise<void>((resolve) => (show = resolve));
  const timeline = new Timeline(frame, items, groups, {
    start: window.beginUtcMs,
    end: window.endUtcMs,
    height: HEIGHT_PX,
    stack: false,
    groupHeightMode: 'fixed',
    margin: { item: 0, axis: 0 },
    selectable: false,
    moveable: false,
    showTooltips: false,
    showCurrentTime: false,
    onInitialDrawComplete: show,
  });
  await shown;
  return {
    pan(share) {
      const { beginUtcMs, endUtcMs } = moveWindow(window, share);
      timeline.setWindow(beginUtcMs, endUtcMs, { animation: false });
    },
  };
};

function addColours(): void {
  const style = document.createElement('style');
  style.textContent = COLOURS.map((colour, band) => `.vis-item.band-${band} { background: ${colour}; min-width: 1px; }`).join('\n');
  document.head.append(style);
}
