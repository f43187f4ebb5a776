/** The row of marks from the error log and msdb, between strips and lanes, for pointer and keyboard. */
import { formatCount } from '../../core/format';
import type { PixelView } from '../../core/timeline/pixel-grid';
import { MARK_NAMES, type TimeMark } from '../../core/timeline/time-marks';
import { formatMoment, formatSpan, type Clock } from '../model/clock';
import { createElement, setLabel } from '../kit/elements';
import { findMarks, layoutMarks, listKinds, nameMark, type LaidMarks } from './lanes/mark-layout';
import type { CardLine } from './lanes/hover-card';
import { t } from '../../core/language';

/**
 * Height in CSS pixels, with room for bars below the shapes. It is the same without marks: marks come later and must
 * not move the lanes.
 */
export const MARKS_PX = 17;
/** Marks that a card lists; the others are counted. */
const MOST_TOLD = 3;

const NOTHING: LaidMarks = { groups: [], bars: [] };

interface Stop {
  readonly at: number;
  readonly marks: readonly TimeMark[];
}

export class MarksRow {
  /** Takes the focus; the canvas below it shows what is reached. */
  readonly element: HTMLElement;
  laid: LaidMarks = NOTHING;
  /** The marks that the keyboard has reached. */
  focused: readonly TimeMark[] = [];

  /** @param onStep the keyboard went to other marks */
  constructor(
    document: Document,
    private readonly onStep: (marks: readonly TimeMark[]) => void,
  ) {
    this.element = createElement(document, 'div.marks', { tabindex: '0', role: 'group', hidden: '' });
    this.element.addEventListener('keydown', (event) => this.press(event));
    this.element.addEventListener('blur', () => this.focus([]));
  }

  show(marks: readonly TimeMark[], view: PixelView, pixelRatio: number): void {
    this.laid = marks.length === 0 ? NOTHING : layoutMarks(marks, view, pixelRatio);
    this.element.hidden = marks.length === 0;
    const counts = listKinds(marks)
      .map((kind) => `${MARK_NAMES[kind]} ${formatCount(marks.filter((mark) => mark.kind === kind).length)}`)
      .join(', ');
    setLabel(this.element, t('Marks: {0}. Left and right step through those in view.', counts));
    // A group of another view counts as the same if it has the same first mark.
    const kept = this.listStops().find((stop) => stop.marks[0] === this.focused[0]);
    this.focused = kept?.marks ?? [];
  }

  at(column: number, pixelRatio: number): readonly TimeMark[] {
    return findMarks(this.laid, column, pixelRatio);
  }

  /** Pixel column of the marks that the keyboard has reached; null: none. */
  get focusedColumn(): number | null {
    return this.listStops().find((stop) => stop.marks === this.focused)?.at ?? null;
  }

  private listStops(): readonly Stop[] {
    const bars = this.laid.bars.map(({ mark, from, end }): Stop => ({
      at: (from + end) >> 1,
      marks: [mark],
    }));
    return [...this.laid.groups, ...bars].sort((a, b) => a.at - b.at);
  }

  private press(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0 || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const stops = this.listStops();
    const now = stops.findIndex(({ marks }) => marks[0] === this.focused[0]);
    const next =
      stops[
        now < 0 ? (step === 1 ? 0 : stops.length - 1) : Math.min(stops.length - 1, Math.max(0, now + step))
      ];
    if (next) this.focus(next.marks);
  }

  private focus(marks: readonly TimeMark[]): void {
    this.focused = marks;
    this.onStep(marks);
  }
}

/** The lines about a group of marks: the first few, and how many more. */
export function describeMarks(marks: readonly TimeMark[], clock: Clock): readonly CardLine[] {
  const told = marks.slice(0, MOST_TOLD).flatMap((mark): readonly CardLine[] => [
    { text: nameMark(mark), kind: 'name' },
    {
      text: mark.endUtcMs > mark.beginUtcMs ? formatSpan(mark, clock) : formatMoment(mark.beginUtcMs, clock),
      kind: 'time',
    },
    { text: mark.text, kind: 'note' },
  ]);
  const rest = marks.length - MOST_TOLD;
  return rest > 0 ? [...told, { text: t('and {0} more', formatCount(rest)), kind: 'note' }] : told;
}
