/** The strips for the keyboard: one stop of Tab, in which arrows go through the time in view and from strip to strip. */
import { STRIPS } from '../../../core/timeline/strips';
import { createElement, setLabel } from '../../kit/elements';
import { readStripKey } from '../../kit/gesture';
import { columnOfPlace, moveOnStrips, type ShownStrips, type StripPlace } from './strip-place';

interface StripCursorEvents {
  /** The keyboard went somewhere else, or nowhere any more. */
  onStep(): void;
  onLeave(): void;
}

export class StripCursor {
  /** Takes the focus; what it shows is painted on the canvas below it. */
  readonly element: HTMLElement;
  /** null: the keyboard is nowhere. */
  place: StripPlace | null = null;
  private shown: ShownStrips | null = null;

  constructor(
    document: Document,
    private readonly events: StripCursorEvents,
  ) {
    this.element = createElement(document, 'div', {
      class: 'strip-cursor',
      attributes: { role: 'application', tabindex: '0', 'aria-roledescription': 'strips', hidden: '' },
    });
    this.element.addEventListener('keydown', (event) => this.press(event));
    this.element.addEventListener('blur', () => this.goTo(null));
  }

  /** Takes in what is shown. */
  show(shown: ShownStrips): void {
    this.shown = shown;
    this.element.hidden = shown.ids.length === 0;
    const name = `Strips: ${shown.ids.map((id) => STRIPS[id].name).join(', ')}. Left and right go through the time in view, up and down from strip to strip.`;
    setLabel(this.element, name);
  }

  /** Pixel column of the place; null: out of view. */
  get column(): number | null {
    return this.place && this.shown && columnOfPlace(this.shown.view, this.place);
  }

  private press(event: KeyboardEvent): void {
    const gesture = readStripKey(event);
    if (!gesture || !this.shown) return;
    event.preventDefault();
    event.stopPropagation();
    if (gesture.type === 'leave') this.events.onLeave();
    else this.goTo(moveOnStrips(gesture, this.place, this.shown));
  }

  private goTo(place: StripPlace | null): void {
    this.place = place;
    this.events.onStep();
  }
}
