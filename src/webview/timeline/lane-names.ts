/** The names beside the lanes: elements rather than pixels, so that they cut with an ellipsis, show blanks as they are and tell the whole name on hover. */
import { createElement, setText } from '../elements';
import { laneTop, type TimelineLayout } from '../layout/timeline-layout';
import type { LaneView } from './timeline-scene';

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
    this.widestPx = Math.ceil(lanes.reduce((widest, lane) => Math.max(widest, this.measureText(lane.name)), 0));
  }

  /** Shows the names of the lanes in view; their elements are used again. */
  show(lanes: readonly LaneView[], layout: TimelineLayout, selectedDatabaseId: number | null): void {
    const inView = lanes.slice(layout.firstLane, layout.endLane);
    while (this.element.childElementCount > inView.length) this.element.lastElementChild!.remove();
    while (this.element.childElementCount < inView.length) this.element.append(createElement(this.document, 'div', { class: 'lane-name' }));
    inView.forEach((lane, i) => {
      const element = this.element.children[i] as HTMLElement;
      showName(element, lane, lane.databaseId === selectedDatabaseId);
      placeName(element, layout, layout.firstLane + i);
    });
  }
}

function showName(element: HTMLElement, lane: LaneView, selected: boolean): void {
  setText(element, lane.name);
  if (element.title !== lane.name) element.title = lane.name;
  element.dataset['databaseId'] = String(lane.databaseId);
  element.classList.toggle('light', !lane.heavy);
  element.classList.toggle('selected', selected);
}

function placeName(element: HTMLElement, layout: TimelineLayout, lane: number): void {
  const ratio = layout.pixelRatio;
  element.style.width = `${layout.plotLeft / ratio}px`;
  element.style.height = `${layout.laneHeight / ratio}px`;
  element.style.lineHeight = `${layout.laneHeight / ratio}px`;
  element.style.transform = `translateY(${laneTop(layout, lane) / ratio}px)`;
}
