/**
 * A dialog with a table of the selected lane's checkpoints that begin in the time in view: the lane as text, for those
 * who prefer to read.
 */
import { formatCount, formatDuration } from '../../core/format';
import { findFirstFrom } from '../../core/timeline/lane-index';
import { Dialog } from '../kit/dialog';
import { createButton, createElement, setText, wrap } from '../kit/elements';
import { formatMoment, formatWindow } from '../model/clock';
import { DrawnRows, type TableRow } from '../tables/table-rows';
import type { LaneView, TimelineInput } from '../timeline/lanes/timeline-scene';
import { describeHit } from '../timeline/lanes/timeline-target';
import { t } from '../../core/language';

/** More are too many to read. */
const MOST_LISTED = 1000;

interface ListedCheckpoint extends TableRow {
  readonly row: number;
  readonly begins: string;
  readonly duration: string;
  /** Notes about the checkpoint; empty: none. */
  readonly what: string;
}

/** Checkpoints of a lane that begin in the time in view, in order of time, and their number. */
function listLaneCheckpoints(
  input: TimelineInput,
  lane: LaneView,
): { readonly rows: readonly ListedCheckpoint[]; readonly count: number } {
  const { columns, window, clock } = input;
  const indexed = input.index.lanes[lane.database];
  if (!indexed) return { rows: [], count: 0 };
  const [first, end] = [window.beginUtcMs, window.endUtcMs].map((utcMs) =>
    findFirstFrom(indexed, columns, utcMs),
  ) as [number, number];
  const rows = Array.from(
    indexed.rows.subarray(first, Math.min(end, first + MOST_LISTED)),
    (row): ListedCheckpoint => {
      const beginUtcMs = columns.beginUtcMs[row]!;
      const notes = describeHit(input, lane, { row, count: 1, enlarged: false }).filter(
        ({ kind }) => kind === 'note',
      );
      return {
        key: String(row),
        databaseId: null,
        row,
        begins: formatMoment(beginUtcMs, clock),
        duration: formatDuration(columns.durationMs[row]!),
        what: notes.map(({ text }) => text).join('; '),
      };
    },
  );
  return { rows, count: end - first };
}

export class CheckpointList {
  readonly element: HTMLElement;
  private readonly dialog: Dialog;
  private readonly scope: HTMLElement;
  private readonly rows: DrawnRows<ListedCheckpoint>;
  private readonly table: HTMLElement;
  private input: TimelineInput | null = null;

  constructor(private readonly onGo: (row: number) => void) {
    this.scope = createElement('p.dim.num');
    this.rows = new DrawnRows({
      fillRow: (element, { row }) => this.fillRow(element, row),
      listControls: (element) => [element.querySelector('button')!],
    });
    const headings = [t('Begins'), t('Duration'), t('What')].map((text) =>
      createElement('th', { text, scope: 'col' }),
    );
    const head = wrap('thead', [wrap('tr', headings)]);
    this.table = createElement('table.grid.checkpoints', {
      'aria-label': t('Checkpoints in view'),
      children: [head, this.rows.body],
    });
    this.dialog = new Dialog('checkpoints-in-view', [this.scope, this.table, this.rows.more]);
    this.element = this.dialog.element;
  }

  /** Opens for the selected lane. */
  open(input: TimelineInput): void {
    this.input = null;
    const lane = this.show(input);
    if (lane) this.dialog.open(t('Checkpoints of {0} in view', lane.name));
  }

  /** Shows new checkpoints while it is open. */
  update(input: TimelineInput): void {
    if (this.dialog.isOpen) this.show(input);
  }

  private show(input: TimelineInput): LaneView | null {
    const lane = input.lanes.find(({ databaseId }) => databaseId === input.selectedDatabaseId);
    if (!lane || isSame(input, this.input)) return lane ?? null;
    this.input = input;
    const { rows, count } = listLaneCheckpoints(input, lane);
    this.rows.show(rows);
    this.table.hidden = count === 0;
    setText(this.scope, describeScope(input, rows.length, count));
    return lane;
  }

  private fillRow(element: HTMLElement, row: number): (listed: ListedCheckpoint) => void {
    const go = createButton('', () => this.go(row), {
      class: 'sort num',
      title: t('Show it in the timeline'),
    });
    const length = createElement('td.num');
    const notes = createElement('td.words');
    element.append(wrap('td', [go]), length, notes);
    return ({ begins, duration, what }) => {
      setText(go, begins);
      setText(length, duration);
      setText(notes, what);
    };
  }

  private go(row: number): void {
    this.dialog.leave();
    this.onGo(row);
  }
}

const isSame = (a: TimelineInput, b: TimelineInput | null): boolean =>
  a.columns === b?.columns &&
  a.window === b.window &&
  a.clock.key === b.clock.key &&
  a.gaps === b.gaps &&
  a.selectedDatabaseId === b.selectedDatabaseId;

function describeScope({ window, clock }: TimelineInput, shown: number, count: number): string {
  const time = `${formatWindow(window, clock)}, ${clock.name}`;
  if (count === 0) return t('No checkpoint begins in the time in view: {0}.', time);
  if (shown < count)
    return t(
      'The first {0} of {1} checkpoints that begin in the time in view: {2}. Zoom in to see the others.',
      formatCount(shown),
      formatCount(count),
      time,
    );
  return count === 1
    ? t('1 checkpoint begins in the time in view: {0}.', time)
    : t('{0} checkpoints begin in the time in view: {1}.', formatCount(count), time);
}
