/** The legend: what colour, height and marks of the timeline mean. Entries for marks, gaps and changes appear where there are some. */
import { countOf, formatDuration } from '../../core/format';
import { describeGapKind, isPartlyObserved } from '../../core/picture/coverage-text';
import { GAP_KINDS } from '../../core/capture/gap';
import { TIME_MARK_KINDS, type TimeMark, type TimeMarkKind } from '../../core/picture/time-mark';
import type { Gap } from '../../protocol';
import { type Clock, formatDay, formatMinute } from '../clock';
import type { DashboardModel } from '../dashboard-model';
import { createElement, setText } from '../elements';
import { listKinds } from '../layout/mark-layout';
import { positionOnScale } from '../layout/duration-scale';
import type { Theme } from '../theme';
import type { LaneHeight } from '../view-state';

const TICKS: readonly (readonly [ms: number, text: string])[] = [
  [10, '10 ms'],
  [1000, '1 s'],
  [100_000, '100 s'],
];

export interface LegendInput {
  readonly recoveryIntervalMs: number;
  readonly laneHeight: LaneHeight;
  readonly gaps: readonly Gap[];
  readonly hasChanges: boolean;
  readonly marks: readonly TimeMark[];
  readonly leftOutMarks: DashboardModel['leftOutMarks'];
  readonly clock: Clock;
}

/** What a mark of each kind says. */
const MARK_TEXTS: Readonly<Record<TimeMarkKind, string>> = {
  FlushCache: 'FlushCache',
  'buffer pool scan': 'buffer pool scan (898)',
  'slow I/O': 'slow I/O (833)',
  backup: 'backup',
  recovery: 'recovery',
};

/** A setting is whole seconds or minutes, unlike a measured duration. */
const formatInterval = (ms: number): string => (ms % 1000 === 0 && ms < 120_000 ? `${ms / 1000} s` : formatDuration(ms));

export class Legend {
  readonly element: HTMLElement;
  private readonly ramp: HTMLElement;
  private readonly mark: HTMLElement;
  private readonly recovery: HTMLElement;
  private readonly foot: HTMLElement;
  private readonly gaps: HTMLElement;
  private readonly partialGaps: HTMLElement;
  private readonly changes: HTMLElement;
  private readonly overlap: HTMLElement;
  private readonly leftOut: HTMLElement;
  private readonly marks: Readonly<Record<TimeMarkKind, HTMLElement>>;

  constructor(private readonly document: Document) {
    this.ramp = createElement(document, 'div', { class: 'ramp' });
    this.mark = createElement(document, 'div', { class: 'ramp-mark' });
    const ticks = TICKS.map(([ms, text]) => {
      const tick = createElement(document, 'span', { text });
      tick.style.left = `${positionOnScale(ms) * 100}%`;
      return tick;
    });
    const scale = createElement(document, 'div', {
      class: 'scale',
      children: [this.ramp, this.mark, createElement(document, 'div', { class: 'ramp-ticks', children: ticks })],
    });
    const recovery = this.createEntry('cap', '');
    this.recovery = recovery.lastElementChild as HTMLElement;
    this.foot = this.createEntry('foot', 'as wide as it lasted, else drawn wider');
    this.gaps = this.createEntry('gap', '');
    this.partialGaps = this.createEntry('gap partial', '');
    this.changes = this.createEntry('change', 'setting changed');
    this.overlap = this.createEntry('overlap', 'two at once');
    this.overlap.hidden = true;
    const ofKind = (kind: TimeMarkKind): HTMLElement =>
      this.createEntry(`mark-${kind.replace(/\W+/g, '-').toLowerCase()}`, MARK_TEXTS[kind]);
    this.marks = Object.fromEntries(TIME_MARK_KINDS.map((kind) => [kind, ofKind(kind)])) as Record<TimeMarkKind, HTMLElement>;
    const rule = createElement(document, 'span', { class: 'rule' });
    this.leftOut = createElement(document, 'span', { class: 'left-out' });
    const entries = [recovery, this.foot, this.overlap, ...Object.values(this.marks), this.gaps, this.partialGaps, this.changes];
    this.element = createElement(document, 'div', {
      class: 'legend',
      children: [
        createElement(document, 'span', { text: 'Duration' }),
        scale,
        createElement(document, 'div', { class: 'keys', children: [...entries, rule, this.leftOut] }),
      ],
    });
  }

  update({ recoveryIntervalMs, laneHeight, gaps, hasChanges, marks, leftOutMarks, clock }: LegendInput): void {
    this.mark.style.left = `${positionOnScale(recoveryIntervalMs) * 100}%`;
    setText(this.recovery, `recovery interval ${formatInterval(recoveryIntervalMs)}: FlushCache from here`);
    // Low lanes have no room for it.
    this.foot.hidden = laneHeight === 'compact';
    showGaps(
      this.gaps,
      gaps.filter((gap) => !isPartlyObserved(gap)),
    );
    showGaps(this.partialGaps, gaps.filter(isPartlyObserved));
    this.changes.hidden = !hasChanges;
    const kinds = listKinds(marks);
    setText(this.leftOut, describeLeftOut(leftOutMarks, clock));
    for (const kind of TIME_MARK_KINDS) this.marks[kind].hidden = !kinds.includes(kind);
  }

  /** Whether the strip of the checkpoint task shows two at once. */
  setOverlap(hasOverlap: boolean): void {
    this.overlap.hidden = !hasOverlap;
  }

  setTheme(theme: Theme): void {
    this.ramp.style.background = `linear-gradient(to right, ${theme.ramp.filter((_, i) => i % 3 === 0).join(', ')})`;
    setText(
      this.element.querySelector('.rule')!,
      `Taller and ${theme.kind.endsWith('light') ? 'darker' : 'warmer'} is longer; of many under a pixel the longest is drawn.`,
    );
  }

  private createEntry(mark: string, text: string): HTMLElement {
    const children = [createElement(this.document, 'span', { class: `swatch ${mark}` }), createElement(this.document, 'span', { text })];
    return createElement(this.document, 'span', { class: 'entry', children });
  }
}

/** `Not drawn: 1,204 log backups up to 2026-03-02 08:15; 3 marks whose time in UTC is not known.`; empty where all are drawn. */
export function describeLeftOut({ older, undated }: LegendInput['leftOutMarks'], clock: Clock): string {
  const moment = (utcMs: number): string => `${formatDay(utcMs, clock)} ${formatMinute(utcMs, clock)}`;
  const parts = [
    ...older.map(({ text, lastUtcMs }) => `${text} up to ${moment(lastUtcMs)}`),
    ...(undated === 0 ? [] : [countOf(undated, 'mark whose time in UTC is not known', 'marks whose time in UTC is not known')]),
  ];
  return parts.length === 0 ? '' : `Not drawn: ${parts.join('; ')}.`;
}

/** `not observed: server restarted, failover`: the kinds that there are; hidden where there is none. */
function showGaps(entry: HTMLElement, gaps: readonly Gap[]): void {
  const [first] = gaps;
  entry.hidden = !first;
  if (!first) return;
  const kinds = new Set(gaps.map(({ kind }) => kind));
  setText(entry.lastElementChild!, `${describeGapKind(first)}: ${GAP_KINDS.filter((kind) => kinds.has(kind)).join(', ')}`);
}
