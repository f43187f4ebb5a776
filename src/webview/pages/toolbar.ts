/** The bar over the timeline: which time is in view, zoom for those without a wheel, and the filter by name. */
import { createButton, createElement, setText } from '../elements';
import type { Gesture } from '../layout/gesture';

export interface ToolbarInput {
  readonly window: string;
  readonly span: string;
  readonly whole: boolean;
  readonly filter: string;
  readonly figuresInView: boolean;
}

export interface ToolbarEvents {
  onGesture(gesture: Gesture): void;
  onFilter(text: string): void;
  onFiguresInView(inView: boolean): void;
}

export class Toolbar {
  readonly element: HTMLElement;
  private readonly window: HTMLElement;
  private readonly span: HTMLElement;
  private readonly fit: HTMLButtonElement;
  private readonly filter: HTMLInputElement;
  private readonly inView: HTMLInputElement;

  constructor(document: Document, events: ToolbarEvents) {
    this.window = createElement(document, 'span', { class: 'num' });
    this.span = createElement(document, 'span', { class: 'dim num' });
    const zoomIn = createButton(document, '+', () => events.onGesture({ type: 'zoom', factor: 1.5 }), {
      class: 'quiet',
      title: 'Zoom in (+)',
      attributes: { 'aria-label': 'Zoom in' },
    });
    const zoomOut = createButton(document, '−', () => events.onGesture({ type: 'zoom', factor: 1 / 1.5 }), {
      class: 'quiet',
      title: 'Zoom out (-)',
      attributes: { 'aria-label': 'Zoom out' },
    });
    this.fit = createButton(document, 'Fit', () => events.onGesture({ type: 'fit' }), {
      class: 'quiet',
      title: 'Show all that was observed (F)',
    });
    const zoom = createElement(document, 'span', { class: 'zoom', children: [zoomOut, zoomIn, this.fit] });
    this.filter = createElement(document, 'input', {
      attributes: { type: 'search', placeholder: 'Filter databases', 'aria-label': 'Filter databases by name', spellcheck: 'false' },
    });
    this.filter.addEventListener('input', () => events.onFilter(this.filter.value));
    this.inView = createElement(document, 'input', { attributes: { type: 'checkbox' } });
    this.inView.addEventListener('change', () => events.onFiguresInView(this.inView.checked));
    const inView = createElement(document, 'label', {
      class: 'check',
      title: 'Figures of the checkpoints that begin in the window in view; otherwise of all that was observed',
      children: [this.inView, 'Figures of the time in view'],
    });
    const left = createElement(document, 'div', { class: 'group', children: [this.window, this.span, zoom] });
    this.element = createElement(document, 'div', {
      class: 'toolbar',
      children: [left, createElement(document, 'div', { class: 'group right', children: [inView, this.filter] })],
    });
  }

  update(input: ToolbarInput): void {
    setText(this.window, input.window);
    setText(this.span, input.span);
    this.fit.setAttribute('aria-disabled', String(input.whole));
    if (this.filter.value !== input.filter) this.filter.value = input.filter;
    this.inView.checked = input.figuresInView;
  }
}
