/** A handle at one end of what is measured. The pointer drags it, or its own arrow keys move it (WAI-ARIA, slider). */
import { createElement } from '../../kit/elements';
import { formatTime } from '../../model/clock';
import { spanBoxes, type MeasuredBox, type MeasuredEdge } from '../lanes/measured-boxes';
import type { MeasuredPart } from '../../model/view-state';
import type { TimelineInput } from '../lanes/timeline-scene';
import { t } from '../../../core/language';

interface MeasureHandleEvents {
  onGrip(): void;
  /** Moved by a share of the window's width, from where it was gripped. */
  onMove(share: number): void;
  /** Moved once by a share of the window's width. */
  onStep(share: number): void;
  onDone(): void;
}

const KEY_SHARE = 0.01;

export class MeasureHandle {
  readonly element: HTMLElement;
  private plotWidthPx = 1;

  constructor(
    document: Document,
    private readonly edge: MeasuredEdge,
    private readonly events: MeasureHandleEvents,
  ) {
    this.element = createElement(document, 'div.measure-handle', {
      role: 'slider',
      tabindex: '0',
      'aria-label': edge === 'beginUtcMs' ? t('Start of the measured time') : t('End of the measured time'),
      hidden: '',
    });
    this.listen();
  }

  /** Places it at its end of the boxes, as high as they are; hides it if that end is out of view. */
  show(
    part: MeasuredPart,
    boxes: readonly MeasuredBox[],
    { window, bounds, clock }: TimelineInput,
    plotWidthPx: number,
  ): void {
    const { leftPx, widthPx } = boxes[0]!;
    const { topPx, bottomPx } = spanBoxes(boxes);
    const utcMs = part[this.edge];
    this.plotWidthPx = plotWidthPx;
    if (utcMs < window.beginUtcMs || utcMs > window.endUtcMs) hideOverLanes(this.element);
    else this.element.hidden = false;
    this.element.style.transform = `translate(${this.edge === 'beginUtcMs' ? leftPx : leftPx + widthPx}px, ${topPx}px)`;
    this.element.style.height = `${bottomPx - topPx}px`;
    const sizes = {
      'aria-valuemin': bounds.beginUtcMs,
      'aria-valuemax': bounds.endUtcMs,
      'aria-valuenow': utcMs,
    };
    for (const [name, value] of Object.entries(sizes)) this.element.setAttribute(name, String(value));
    this.element.setAttribute('aria-valuetext', formatTime(utcMs, clock));
  }

  private listen(): void {
    let gripX: number | null = null;
    this.element.addEventListener('pointerdown', (event) => {
      event.stopPropagation();
      this.element.setPointerCapture(event.pointerId);
      gripX = event.clientX;
      this.events.onGrip();
    });
    this.element.addEventListener('pointermove', (event) => {
      if (gripX === null) return;
      event.stopPropagation();
      this.events.onMove((event.clientX - gripX) / this.plotWidthPx);
    });
    const end = (event: PointerEvent): void => {
      event.stopPropagation();
      if (gripX !== null) this.events.onDone();
      gripX = null;
    };
    this.element.addEventListener('pointerup', end);
    this.element.addEventListener('pointercancel', end);
    this.element.addEventListener('keydown', (event) => {
      if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
      event.preventDefault();
      event.stopPropagation();
      this.events.onStep(event.key === 'ArrowLeft' ? -KEY_SHARE : KEY_SHARE);
    });
  }
}

/** Hides something over the lanes. If it has the focus, the lanes get it; else focus and keys would be lost. */
export function hideOverLanes(element: HTMLElement): void {
  if (element.contains(element.ownerDocument.activeElement)) element.closest<HTMLElement>('.lanes')?.focus();
  element.hidden = true;
}
