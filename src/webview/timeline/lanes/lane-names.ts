/**
 * The names beside the lanes. They are elements, not pixels, so that they cut with an ellipsis, keep blanks and show
 * the whole name on hover.
 */
import { makeVisible } from '../../../core/visible';
import { createElement, setName, setTitle, placeElement } from '../../kit/elements';
import {
  layoutName,
  listNamedLanes,
  type NamePlace,
  type TimelineLayout,
  laneCover,
  laneTop,
} from './timeline-layout';
import type { LaneView } from './timeline-scene';
import { createSvg, drawSvg } from '../../charts/svg-tree';
import { t } from '../../../core/language';

/** A selected name is bold, which makes it about this many times wider. */
const BOLD_WIDTH = 1.1;

export class LaneNames {
  readonly element: HTMLElement;
  /** CSS pixels of the widest name. */
  widestPx = 0;
  private measured = '';

  constructor(
    private readonly document: Document,
    private readonly measureText: (text: string) => number,
  ) {
    this.element = createElement(document, 'div.lane-names', { 'aria-hidden': 'true' });
  }

  measure(lanes: readonly LaneView[]): void {
    const key = lanes.map((lane) => lane.name).join('\n');
    if (key === this.measured) return;
    this.measured = key;
    this.widestPx = Math.ceil(
      BOLD_WIDTH *
        lanes.reduce((widest, lane) => Math.max(widest, this.measureText(makeVisible(lane.name))), 0),
    );
  }

  /** Shows the names of the lanes in view, as far as they fit. Elements are used again. */
  show(
    lanes: readonly LaneView[],
    layout: TimelineLayout,
    selectedDatabaseId: number | null,
    hoveredLane: number | null,
  ): void {
    const selectedLane = lanes.findIndex((lane) => lane.databaseId === selectedDatabaseId);
    const shown = listNamedLanes(layout, selectedLane < 0 ? null : selectedLane, hoveredLane);
    while (this.element.childElementCount > shown.length) this.element.lastElementChild!.remove();
    while (this.element.childElementCount < shown.length)
      this.element.append(createElement(this.document, 'div.lane-name'));
    shown.forEach((at, i) => {
      const element = this.element.children[i] as HTMLElement;
      const lane = lanes[at]!;
      showName(element, lane, lane.databaseId === selectedDatabaseId);
      placeName(element, layoutName(layout, at));
    });
  }
}

function showName(element: HTMLElement, lane: LaneView, selected: boolean): void {
  setName(element, lane.name);
  setTitle(element, lane.name);
  element.dataset['databaseId'] = String(lane.databaseId);
  element.classList.toggle('light', !lane.heavy);
  element.classList.toggle('selected', selected);
}

function placeName(element: HTMLElement, place: NamePlace): void {
  placeElement(element, place);
  element.style.lineHeight = `${place.heightPx}px`;
  element.style.fontSize = place.typePx === null ? '' : `${place.typePx}px`;
}

/** An arrow pointing up at a bar. */
const TO_THE_TOP = 'M2.5 1.5h7M6 10.5V4M3.5 6.5 6 4l2.5 2.5';

/**
 * A small button at the name of the lane under the pointer; it pins the lane to the top. Tab skips it because a key
 * does the same.
 */
export class PinButton {
  readonly element: HTMLButtonElement;
  private lane: LaneView | null = null;

  constructor(document: Document, onPin: (databaseId: number) => void) {
    this.element = createElement(document, 'button.pin', {
      type: 'button',
      tabindex: '-1',
      'aria-hidden': 'true',
      hidden: '',
      onClick: () => this.lane && onPin(this.lane.databaseId),
    });
    // The button disappears with the pointer, so a click must not give it the focus: the focus would be lost.
    this.element.addEventListener('mousedown', (event) => event.preventDefault());
    this.element.append(
      drawSvg(document, createSvg('svg', { viewBox: '0 0 12 12' }, [createSvg('path', { d: TO_THE_TOP })])),
    );
  }

  /** Shows the button beside the name of a lane; null: nowhere. A lane that is mostly covered has none. */
  show(lane: LaneView | null, layout: TimelineLayout, at: number): void {
    this.lane = lane;
    const cover = laneCover(layout, at);
    const heightPx = (layout.laneHeight - cover) / layout.pixelRatio;
    this.element.hidden = lane === null || heightPx < 16;
    if (!lane) return;
    setTitle(this.element, lane.pinned ? t('Unpin this lane (P)') : t('Pin this lane to the top (P)'));
    this.element.classList.toggle('pinned', lane.pinned);
    this.element.style.transform = `translateY(${(laneTop(layout, at) + cover) / layout.pixelRatio}px)`;
    this.element.style.height = `${heightPx}px`;
  }
}
