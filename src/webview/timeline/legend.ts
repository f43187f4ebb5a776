/**
 * The legend: one row for the most important signs, and a sheet with all of them. Row and sheet show entries for marks,
 * gaps and changes only if there are any.
 */
import { countOf, formatDuration, formatPercent } from '../../core/format';
import { describeGapKind, isPartlyObserved } from '../../core/pages/coverage-text';
import { GAP_KINDS, GAP_NAMES } from '../../core/session/gap';
import { MARK_NAMES, TIME_MARK_KINDS, type TimeMarkKind } from '../../core/timeline/time-marks';
import { makeRecord } from '../../core/lists';
import type { Gap } from '../../protocol';
import { type Clock, formatDay, formatMinute } from '../model/clock';
import type { DashboardModel } from '../model/dashboard-model';
import { createSvg, drawSvg, type SvgNode } from '../charts/svg-tree';
import { Dialog } from '../kit/dialog';
import { createElement, setText, createDialogLink } from '../kit/elements';
import { listKinds } from './lanes/mark-layout';
import { MARK_SHAPES } from './lanes/paint-marks';
import { positionOnScale } from '../../core/timeline/duration-levels';
import type { Theme } from '../kit/theme';
import type { TimelineInput } from './lanes/timeline-scene';
import { t } from '../../core/language';

/**
 * The row has what has room in it, the sheet everything. Of gaps the row names the sort (whole or partial), the sheet
 * also their kinds.
 */
interface Entries {
  readonly inRow: HTMLElement;
  readonly inSheet: HTMLElement;
}

export const SIGN_BOX = '0 0 10 10';

const sign = (tag: 'path' | 'rect', of: string, attributes: SvgNode['attributes']): SvgNode =>
  createSvg(tag, { class: of, ...attributes });
const block = (of: string, x: number, y: number, width: number, height: number): SvgNode =>
  sign('rect', of, { x, y, width, height });
const path = (of: string, d: string): SvgNode => sign('path', of, { d });
const FRAME = path('frame', 'M.5.5H9.5V9.5H.5Z');

/** Each as the canvas draws it; a saved picture copies it with the colours that it has on the page. */
const SIGNS = {
  cap: [block('bar', 0, 3, 10, 7), block('edge', 0, 0, 10, 2)],
  foot: [block('bar', 3, 0, 4, 8), block('edge', 0, 8, 10, 2)],
  gap: [FRAME, path('frame', 'M1 4L4 1M1 8L8 1M3 9.5L9.5 3M7 9.5L9.5 7')],
  'gap-partial': [FRAME, path('frame', 'M1 7L7 1M6 9.5L9.5 6')],
  goal: [path('goal', 'M0 5H10')],
  change: [path('change', 'M5 0V10')],
  overlap: [block('overlap', 0, 0, 10, 10), path('edge-line', 'M.5 0V10M4.5 0V10M8.5 0V10')],
  FlushCache: [path('warn', MARK_SHAPES.FlushCache)],
  'buffer pool scan': [path('accent', MARK_SHAPES['buffer pool scan'])],
  'slow I/O': [path('cross', MARK_SHAPES['slow I/O'])],
  backup: [block('good', 0, 3, 10, 4)],
  recovery: [path('frame', 'M.5 3.5H9.5V6.5H.5Z')],
  notice: [path('warn', MARK_SHAPES.notice)],
};

/** What the legend says for each kind of mark. */
const MARK_TEXTS: Readonly<Record<TimeMarkKind, string>> = {
  ...MARK_NAMES,
  'buffer pool scan': t('buffer pool scan (898)'),
  'slow I/O': t('slow I/O (833)'),
  notice: t('notice: a failed checkpoint, a full log, a latch, a changed setting'),
};

/** A setting is in whole seconds or minutes, unlike a measured duration. */
const formatInterval = (ms: number): string =>
  ms % 1000 === 0 && ms < 120_000 ? `${ms / 1000} s` : formatDuration(ms);

export class Legend {
  readonly element: HTMLElement;
  /** A dialog that explains all signs of the timeline. */
  readonly sheet: Dialog;
  private readonly ramp: HTMLElement;
  private readonly mark: HTMLElement;
  private readonly cap: HTMLElement;
  private readonly recovery: HTMLElement;
  private readonly rule: HTMLElement;
  private readonly foot: HTMLElement;
  private readonly gaps: Entries;
  private readonly partialGaps: Entries;
  private readonly goal: Entries;
  private readonly changes: Entries;
  private readonly leftOut: HTMLElement;
  private readonly marks: Readonly<Record<TimeMarkKind, Entries>>;

  constructor() {
    this.ramp = createElement('div.ramp');
    this.mark = createElement('div.ramp-mark');
    const scale = createElement('span.scale', { children: [this.ramp, this.mark] });
    this.cap = this.createEntry('cap', '');
    this.recovery = this.createEntry('cap', '');
    this.foot = this.createEntry('foot', t('true width; no foot: widened to be visible'));
    this.gaps = this.createEntries('gap', '');
    this.partialGaps = this.createEntries('gap-partial', '');
    this.goal = this.createEntries('goal', '');
    this.changes = this.createEntries('change', t('setting changed'));
    const overlap = this.createEntry('overlap', t('two at once'));
    this.marks = makeRecord(TIME_MARK_KINDS, (kind) => this.createEntries(kind, MARK_TEXTS[kind]));
    this.rule = createElement('p');
    this.leftOut = createElement('p.left-out');
    const both = [this.changes, this.gaps, this.partialGaps, this.goal, ...Object.values(this.marks)];
    const inSheet = [this.recovery, this.foot, overlap, ...both.map((entries) => entries.inSheet)];
    const entries = createElement('div.legend-sheet', { children: inSheet });
    this.sheet = new Dialog('legend-sheet', [this.rule, entries, this.leftOut]);
    const open = createDialogLink(t('How to read this'), () =>
      this.sheet.open(t('How to read the timeline')),
    );
    const ramp = createElement('span.entry', { children: ['10 ms', scale, '100 s'] });
    const children = [ramp, open, this.cap, ...both.map((entries) => entries.inRow)];
    this.element = createElement('div.legend', { children });
  }

  update(
    { recoveryIntervalMs, goal, laneHeight, gaps, changes, marks, clock }: TimelineInput,
    leftOutMarks: DashboardModel['leftOutMarks'],
  ): void {
    this.mark.style.left = `${positionOnScale(recoveryIntervalMs) * 100}%`;
    const interval = formatInterval(recoveryIntervalMs);
    setText(this.cap.lastElementChild!, t('capped: longer than {0}', interval));
    setText(
      this.recovery.lastElementChild!,
      t('capped: longer than the recovery interval, {0}; from here on, FlushCache is logged', interval),
    );
    // Low lanes have no room for it.
    this.foot.hidden = laneHeight === 'compact';
    showGaps(
      this.gaps,
      gaps.filter((gap) => !isPartlyObserved(gap)),
    );
    showGaps(this.partialGaps, gaps.filter(isPartlyObserved));
    show(this.changes, changes.length > 0);
    const kinds = listKinds(marks);
    setText(this.leftOut, describeMarksLeftOut(leftOutMarks, clock));
    for (const kind of TIME_MARK_KINDS) show(this.marks[kind], kinds.includes(kind));
    show(this.goal, goal !== null, t('goal: at most {0} busy', formatPercent(goal ?? 0)));
  }

  setTheme(theme: Theme): void {
    this.ramp.style.background = `linear-gradient(to right, ${theme.ramp.filter((_, i) => i % 3 === 0).join(', ')})`;
    setText(
      this.rule,
      theme.kind.endsWith('light')
        ? t('Taller and darker means longer. Where several share a pixel, the longest is drawn.')
        : t('Taller and warmer means longer. Where several share a pixel, the longest is drawn.'),
    );
  }

  private createEntries(mark: keyof typeof SIGNS, text: string): Entries {
    return { inRow: this.createEntry(mark, text), inSheet: this.createEntry(mark, text) };
  }

  private createEntry(mark: keyof typeof SIGNS, text: string): HTMLElement {
    const look = { class: 'swatch', viewBox: SIGN_BOX, 'aria-hidden': 'true' };
    const children = [drawSvg(createSvg('svg', look, SIGNS[mark])), createElement('span', { text })];
    return createElement('span.entry', { children });
  }
}

/**
 * `Not drawn: 1,204 log backups up to 2026-03-02 08:15; 3 marks whose UTC time is not known.`; empty if all are drawn.
 */
export function describeMarksLeftOut(
  { older, undated }: DashboardModel['leftOutMarks'],
  clock: Clock,
): string {
  const moment = (utcMs: number): string => `${formatDay(utcMs, clock)} ${formatMinute(utcMs, clock)}`;
  const parts = [
    ...older.map(({ text, lastUtcMs }) => t('{0} up to {1}', text, moment(lastUtcMs))),
    ...(undated === 0
      ? []
      : [
          countOf(
            undated,
            t('{0} mark whose UTC time is not known'),
            t('{0} marks whose UTC time is not known'),
          ),
        ]),
  ];
  return parts.length === 0 ? '' : t('Not drawn: {0}.', parts.join('; '));
}

/** `not observed: server restarted, failover`: the kinds that occur; hidden if there are none. */
function showGaps(entries: Entries, gaps: readonly Gap[]): void {
  const [first] = gaps;
  const kinds = new Set(gaps.map(({ kind }) => kind));
  const names = GAP_KINDS.filter((kind) => kinds.has(kind)).map((kind) => GAP_NAMES[kind]);
  const sort = first && describeGapKind(first);
  show(entries, first !== undefined, sort, `${sort}: ${names.join(', ')}`);
}

/** @param texts of the row and of the sheet, if they change */
function show({ inRow, inSheet }: Entries, isShown: boolean, ofRow?: string, ofSheet = ofRow): void {
  inRow.hidden = inSheet.hidden = !isShown;
  if (ofRow !== undefined) setText(inRow.lastElementChild!, ofRow);
  if (ofSheet !== undefined) setText(inSheet.lastElementChild!, ofSheet);
}
