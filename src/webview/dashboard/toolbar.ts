/**
 * The bar beside the tabs: the time in view, zoom buttons, the filter by name, and the menus. Hides what does not
 * belong to the page.
 */
import { formatCount, formatDuration } from '../../core/format';
import type { StripId } from '../../core/timeline/strips';
import type { TimeWindow } from '../../core/statistics/statistics';
import { CLOCK_NAMES, describeOffset, formatMinute, formatWindow, type Clock } from '../model/clock';
import { createButton, createElement, setText, wrap } from '../kit/elements';
import type { Gesture } from '../kit/gesture';
import { type findLargestWave, showsAll, keepInside, spanOf } from '../model/time-window';
import { MenuButton } from '../kit/menu-button';
import type { ClockId, PageId, ViewState } from '../model/view-state';
import {
  chooseExport,
  chooseView,
  listClocks,
  listExports,
  listViews,
  type ExportChoice,
} from './toolbar-menus';
import { t } from '../../core/language';

interface TimeText {
  readonly window: string;
  readonly span: string;
  readonly whole: boolean;
}

interface ToolbarInput {
  readonly view: ViewState;
  /** null: there is no time to show yet. */
  readonly time: TimeText | null;
  readonly page: PageId;
  /** What was changed in view, in words; null: nothing, or all is in view. */
  readonly changed: string | null;
}

export interface ToolbarEvents {
  onGesture(gesture: Gesture): void;
  onView(part: Partial<ViewState>): void;
  onExport(choice: ExportChoice): void;
  onHelp(): void;
  /** The chosen strips for which there is no room now. */
  listFolded(): readonly StripId[];
}

/** `2026-11-21 12:45 – 15:01`, `UTC+1 · 20 min of 2 h 14 min`. @param window null: all of the bounds */
export function describeTime(window: TimeWindow | null, bounds: TimeWindow, clock: Clock): TimeText {
  const inView = window ? keepInside(window, bounds) : bounds;
  const whole = showsAll(inView, bounds);
  const span = `${describeOffset(clock, inView)} · ${formatDuration(spanOf(inView))}`;
  return {
    window: formatWindow(inView, clock),
    span: whole ? span : t('{0} of {1}', span, formatDuration(spanOf(bounds))),
    whole,
  };
}

/** `At 12:05, 9 databases were changed.` */
export function describeWave(
  { atUtcMs, databaseIds: { length } }: NonNullable<ReturnType<typeof findLargestWave>>,
  clock: Clock,
): string {
  const at = formatMinute(atUtcMs, clock);
  return length === 1
    ? t('At {0}, 1 database was changed.', at)
    : t('At {0}, {1} databases were changed.', at, formatCount(length));
}

export class Toolbar {
  readonly element: HTMLElement;
  private readonly window: HTMLElement;
  private readonly span: HTMLElement;
  private readonly time: HTMLElement;
  private readonly fit: HTMLButtonElement;
  private readonly hint: HTMLElement;
  private readonly changed: HTMLElement;
  private readonly filter: HTMLInputElement;
  private readonly clocks: MenuButton;
  private readonly views: MenuButton;
  private readonly exports: MenuButton;
  private shown: ToolbarInput | null = null;

  constructor(private readonly events: ToolbarEvents) {
    this.window = createElement('span.num');
    this.span = createElement('span.dim.num');
    this.fit = this.createZoom(t('Fit'), t('Show everything observed (F)'), { type: 'fit' });
    const zoomOut = this.createZoom('−', t('Zoom out (-)'), { type: 'zoom', factor: 1 / 1.5 }, t('Zoom out'));
    const zoomIn = this.createZoom('+', t('Zoom in (+)'), { type: 'zoom', factor: 1.5 }, t('Zoom in'));
    const zoom = wrap('span.zoom', [zoomOut, zoomIn, this.fit]);
    this.changed = createElement('span.dim');
    const compare = createButton(t('See Before / after'), () => events.onView({ page: 'beforeAfter' }), {
      class: 'link',
    });
    this.hint = wrap('span.hint', [this.changed, compare]);
    this.time = wrap('div.group.time', [this.window, this.span, zoom, this.hint]);
    this.filter = createElement('input', {
      type: 'search',
      placeholder: t('Filter databases'),
      'aria-label': t('Filter databases by name'),
      spellcheck: 'false',
    });
    this.filter.addEventListener('input', () => events.onView({ filter: this.filter.value }));
    this.clocks = new MenuButton(t('Clock'), (id) => events.onView({ clock: id as ClockId }));
    this.views = new MenuButton(
      t('View'),
      (id) => this.shown && events.onView(chooseView(id, this.shown.view)),
    );
    // The room may have changed since the page was drawn.
    this.views.element.addEventListener('focusin', () => this.shown && this.update(this.shown));
    this.exports = new MenuButton(t('Export'), (id) => events.onExport(chooseExport(id)));
    const help = createButton('?', () => events.onHelp(), {
      class: 'quiet',
      title: t('Keys and pointer (?)'),
      'aria-label': t('Keys and pointer'),
      'aria-haspopup': 'dialog',
    });
    const menus = [this.clocks.element, this.views.element, this.filter, this.exports.element, help];
    this.element = wrap('div.toolbar', [this.time, wrap('div.group.right', menus)]);
  }

  update(input: ToolbarInput): void {
    const { view, time, page, changed } = input;
    this.shown = input;
    const isOfCheckpoints = page === 'timeline' || page === 'databases';
    this.hide(this.time, page !== 'timeline' || time === null);
    this.hide(this.filter, isOfCheckpoints && time === null);
    this.hide(this.views.element, page !== 'timeline' || time === null);
    this.hint.hidden = changed === null;
    setText(this.changed, changed ?? '');
    setText(this.window, time?.window ?? '');
    setText(this.span, time?.span ?? '');
    this.fit.setAttribute('aria-disabled', String(time?.whole ?? true));
    if (this.filter.value !== view.filter) this.filter.value = view.filter;
    this.clocks.update(CLOCK_NAMES[view.clock], listClocks(view));
    this.views.update(t('View'), listViews(view, this.events.listFolded()));
    this.exports.update(t('Export'), listExports(page));
  }

  /** Puts the focus into the filter. @returns false if this page has none */
  focusFilter(): boolean {
    if (this.filter.hidden) return false;
    this.filter.focus();
    this.filter.select();
    return true;
  }

  /** If a hidden part had the focus, a menu that is always there gets it. */
  private hide(part: HTMLElement, hidden: boolean): void {
    const hadFocus = hidden && !part.hidden && part.contains(document.activeElement);
    part.hidden = hidden;
    if (hadFocus) this.clocks.button.focus();
  }

  private createZoom(
    text: string,
    title: string,
    gesture: Gesture,
    name: string | null = null,
  ): HTMLButtonElement {
    return createButton(text, () => this.events.onGesture(gesture), {
      class: 'quiet',
      title,
      'aria-label': name,
    });
  }
}
