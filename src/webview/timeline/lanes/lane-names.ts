/** The names beside the lanes: elements rather than pixels, so that they cut with an ellipsis, show blanks as they are and tell the whole name on hover. */
import { makeVisible } from '../../../core/visible';
import { createElement, setText, setTitle } from '../../kit/elements';
import { layoutName, listNamedLanes, type NamePlace } from './name-places';
import type { TimelineLayout } from './timeline-layout';
import type { LaneView } from './timeline-scene';

/** A selected name is bold, which takes about this many times the room. */
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
    this.element = createElement(document, 'div', { class: 'lane-names', attributes: { 'aria-hidden': 'true' } });
  }

  /** Measures the names where they have changed. */
  measure(lanes: readonly LaneView[]): void {
    const key = lanes.map((lane) => lane.name).join('\n');
    if (key === this.measured) return;
    this.measured = key;
    this.widestPx = Math.ceil(BOLD_WIDTH * lanes.reduce((widest, lane) => Math.max(widest, this.measureText(makeVisible(lane.name))), 0));
  }

  /** Shows the names of the lanes in view, as far as they fit; their elements are used again. */
  show(lanes: readonly LaneView[], layout: TimelineLayout, selectedDatabaseId: number | null, hoveredLane: number | null): void {
    const selectedLane = lanes.findIndex((lane) => lane.databaseId === selectedDatabaseId);
    const shown = listNamedLanes(layout, selectedLane < 0 ? null : selectedLane, hoveredLane);
    while (this.element.childElementCount > shown.length) this.element.lastElementChild!.remove();
    while (this.element.childElementCount < shown.length) this.element.append(createElement(this.document, 'div', { class: 'lane-name' }));
    shown.forEach((at, i) => {
      const element = this.element.children[i] as HTMLElement;
      const lane = lanes[at]!;
      showName(element, lane, lane.databaseId === selectedDatabaseId);
      placeName(element, layoutName(layout, at));
    });
  }
}

function showName(element: HTMLElement, lane: LaneView, selected: boolean): void {
  setText(element, lane.name);
  setTitle(element, lane.name);
  element.dataset['databaseId'] = String(lane.databaseId);
  element.classList.toggle('light', !lane.heavy);
  element.classList.toggle('selected', selected);
}

function placeName(element: HTMLElement, { topPx, widthPx, heightPx, typePx }: NamePlace): void {
  element.style.width = `${widthPx}px`;
  element.style.height = `${heightPx}px`;
  element.style.lineHeight = `${heightPx}px`;
  element.style.fontSize = typePx === null ? '' : `${typePx}px`;
  element.style.transform = `translateY(${topPx}px)`;
}
