/** A small button at the name of the lane under the pointer that pins it to the top. The keyboard has a key for that, so Tab passes it by. */
import { createElement, setTitle } from '../../kit/elements';
import { laneCover, laneTop, type TimelineLayout } from './timeline-layout';
import type { LaneView } from './timeline-scene';

const SVG = 'http://www.w3.org/2000/svg';
/** An arrow that ends at a bar above. */
const TO_THE_TOP = 'M2.5 1.5h7M6 10.5V4M3.5 6.5 6 4l2.5 2.5';

export class PinButton {
  readonly element: HTMLButtonElement;
  private lane: LaneView | null = null;

  constructor(document: Document, onPin: (databaseId: number) => void) {
    this.element = createElement(document, 'button', {
      class: 'pin',
      attributes: { type: 'button', tabindex: '-1', 'aria-hidden': 'true', hidden: '' },
      onClick: () => this.lane && onPin(this.lane.databaseId),
    });
    // The button goes away with the pointer: a focus that the click gave it would go to nothing.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
    const icon = document.createElementNS(SVG, 'svg');
    icon.setAttribute('viewBox', '0 0 12 12');
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('d', TO_THE_TOP);
    icon.append(path);
    this.element.append(icon);
  }

  /** Beside the name of a lane; null: nowhere. Lanes of which too little is seen have none. */
  show(lane: LaneView | null, layout: TimelineLayout, at: number): void {
    this.lane = lane;
    const cover = laneCover(layout, at);
    const heightPx = (layout.laneHeight - cover) / layout.pixelRatio;
    this.element.hidden = lane === null || heightPx < 16;
    if (!lane) return;
    setTitle(this.element, lane.pinned ? 'Let this lane go from the top (P)' : 'Pin this lane to the top (P)');
    this.element.classList.toggle('pinned', lane.pinned);
    this.element.style.transform = `translateY(${(laneTop(layout, at) + cover) / layout.pixelRatio}px)`;
    this.element.style.height = `${heightPx}px`;
  }
}
