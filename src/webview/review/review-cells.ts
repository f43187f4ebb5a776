/**
 * The rows of the table of a review: a group with its box; a database with its box and wave; the sentence under it; and
 * the button for more of a group.
 */
import { formatCount, formatDuration, formatPerHour, formatPercent } from '../../core/format';
import { checkWave } from '../../core/review/review-draft';
import type { ReviewGroup } from '../../core/review/review-groups';
import type { ReviewRow } from '../../core/review/review-page';
import { createButton, createElement, setLabel, setName, setText, setTitle, wrap } from '../kit/elements';
import { VERDICT_NAMES } from '../../core/advice/verdict-names';
import type { TableRow } from '../tables/table-rows';
import { t } from '../../core/language';

export type Ticked = boolean | 'mixed';

/** A row as drawn, with what the reader has chosen since the plan was made. */
export type DrawnRow = TableRow &
  (
    | {
        readonly kind: 'group';
        readonly group: ReviewGroup;
        readonly ticked: Ticked;
        readonly canBeIn: boolean;
      }
    | {
        readonly kind: 'database';
        readonly row: ReviewRow;
        readonly isTicked: boolean;
        /** null: the database is in no wave. */
        readonly wave: number | null;
        /** Length of the bar, as a share of the longest: 0 to 1. */
        readonly bar: number;
      }
    | { readonly kind: 'note'; readonly row: ReviewRow }
    | { readonly kind: 'more'; readonly group: string; readonly more: number }
  );

export interface CellEvents {
  onTick(databaseId: number, isIn: boolean): void;
  onTickGroup(group: string, isIn: boolean): void;
  onOpen(group: string, isOpen: boolean): void;
  onShowAll(group: string): void;
  onWave(databaseId: number, wave: number): void;
  /** What is wrong with a wave that the reader typed; null: nothing. */
  onComplaint(sentence: string | null): void;
}

const BAR_PX = 48;
/** How many columns there are beside the one of boxes. */
const BESIDE = '6';

/**
 * Fills a new row. What it returns brings the cells up to date, except what the reader is typing. The kind of a row is
 * in its key, so it never changes.
 */
export function fillReviewRow(
  element: HTMLElement,
  first: DrawnRow,
  events: CellEvents,
): (drawn: DrawnRow) => void {
  element.className = `${first.kind}-row`;
  switch (first.kind) {
    case 'group':
      return fillGroup(element, first.group.group, events);
    case 'database':
      return fillDatabase(element, first.row, events);
    case 'note': {
      const reason = appendWide(element);
      reason.className = 'dim';
      return (drawn) => {
        if (drawn.kind === 'note') setText(reason, joinReason(drawn.row));
      };
    }
    case 'more': {
      const showAll = (): void => events.onShowAll(first.group);
      const button = createButton('', showAll, { class: 'link' });
      appendWide(element).append(button);
      return (drawn) => {
        if (drawn.kind === 'more') setText(button, t('Show {0} more', formatCount(drawn.more)));
      };
    }
    default:
      return first satisfies never;
  }
}

/** A cell beside the column of boxes, which stays empty. */
function appendWide(element: HTMLElement): HTMLElement {
  const wide = createElement('td', { colspan: BESIDE });
  element.append(createElement('td'), wide);
  return wide;
}

function fillGroup(element: HTMLElement, group: string, events: CellEvents): (drawn: DrawnRow) => void {
  const box = createBox({}, (isIn) => events.onTickGroup(group, isIn));
  const open = (): void => events.onOpen(group, name.getAttribute('aria-expanded') !== 'true');
  const name = createButton('', open, { class: 'group-name' });
  const figures = createElement('span.dim.num');
  const why = createElement('span.dim.why');
  const heading = wrap('div', [name, figures, why]);
  element.dataset['group'] = group;
  element.append(
    createElement('td', { 'data-column': 'in', children: [box] }),
    createElement('th', {
      scope: 'rowgroup',
      colspan: BESIDE,
      'data-column': 'group',
      children: [heading],
    }),
  );
  return (drawn) => {
    if (drawn.kind !== 'group') return;
    const { ticked, canBeIn } = drawn;
    const { name: text, isOpen, isPart, share, rows, why: reasons } = drawn.group;
    box.indeterminate = ticked === 'mixed';
    updateBox(box, ticked === true, canBeIn || ticked !== false);
    setLabel(box, isPart ? t('The {0} shown of {1}', formatCount(rows.length), text) : t('All of {0}', text));
    name.setAttribute('aria-expanded', String(isOpen));
    setText(name, text);
    const ofTask = share === null ? [] : [t('{0} of the task', formatPercent(share))];
    setText(figures, [formatCount(rows.length), ...ofTask, ...(reasons === '' ? [] : [''])].join(' · '));
    setText(why, reasons);
  };
}

function fillDatabase(
  element: HTMLElement,
  { databaseId, name }: ReviewRow,
  events: CellEvents,
): (drawn: DrawnRow) => void {
  const nameId = `name-${databaseId}`;
  const reasonId = `reason-${databaseId}`;
  const box = createBox({ 'aria-labelledby': nameId, 'aria-describedby': reasonId }, (isIn) =>
    events.onTick(databaseId, isIn),
  );
  const reason = createElement('span', { id: reasonId, hidden: '' });
  const shown = createElement('span.data', { id: nameId });
  const tag = createElement('span.dim.tag');
  const mark = createElement('span.mark', { 'data-kind': 'look first' });
  const header = createElement('th', {
    scope: 'row',
    'data-column': 'database',
    children: [wrap('div.names', [shown, tag, mark])],
  });
  const bar = createElement('span.bar', { 'aria-hidden': 'true' });
  const wave = createWaveInput({ databaseId, name }, events);
  const cell = (column: string, children: readonly Node[] = []): HTMLElement =>
    createElement('td.num', { 'data-column': column, children });
  const share = cell('share');
  const perHour = cell('perHour');
  const median = cell('medianMs');
  element.dataset['database'] = String(databaseId);
  element.append(cell('in', [box, reason]), header, share, cell('bar', [bar]));
  element.append(perHour, median, cell('wave', [wave]));
  return (drawn) => {
    if (drawn.kind !== 'database') return;
    const { row, isTicked } = drawn;
    element.dataset['state'] = row.state;
    updateBox(box, isTicked, row.canBeIn || isTicked);
    setText(reason, joinReason(row));
    setName(shown, row.name);
    setTitle(header, `${row.name}: ${VERDICT_NAMES[row.verdict]}. ${joinReason(row)}`);
    setText(tag, nameTag(row));
    setText(mark, row.notes.length === 0 ? '' : '▲');
    setText(share, formatKnown(row.share, formatPercent));
    bar.style.width = `${row.share === null ? 0 : Math.max(1, Math.round(drawn.bar * BAR_PX))}px`;
    setText(perHour, formatKnown(row.perHour, formatPerHour));
    setText(median, formatKnown(row.medianMs, formatDuration));
    updateWave(wave, isTicked ? drawn.wave : null, () => events.onComplaint(null));
  };
}

/** The focus reaches the box even if it cannot be ticked, so that a screen reader can say why. */
function createBox(
  attributes: Readonly<Record<string, string>>,
  onChange: (isTicked: boolean) => void,
): HTMLInputElement {
  const box = createElement('input', { type: 'checkbox', ...attributes });
  box.addEventListener('click', (event) => {
    if (box.getAttribute('aria-disabled') === 'true') event.preventDefault();
  });
  box.addEventListener('change', () => onChange(box.checked));
  return box;
}

function createWaveInput(
  { databaseId, name }: Pick<ReviewRow, 'databaseId' | 'name'>,
  events: CellEvents,
): HTMLInputElement {
  const input = createElement('input.wave.num', {
    type: 'number',
    min: '1',
    max: '999',
    'aria-label': t('Wave of {0}', name),
  });
  input.addEventListener('change', () => {
    const complaint = checkWave(input.value);
    events.onComplaint(complaint === null ? null : `${name}: ${complaint}`);
    if (complaint === null) events.onWave(databaseId, Number(input.value));
    else input.setAttribute('aria-invalid', 'true');
  });
  return input;
}

function joinReason({ reason, notes }: ReviewRow): string {
  return [reason, ...notes].join(' ');
}

/** A target of 0 is automatic, as in most of the rows, and needs no tag. */
function nameTag({ nowSeconds, isIfNeeded }: ReviewRow): string {
  if (nowSeconds === null) return t('target not observable');
  if (nowSeconds > 0) return t('now {0} s', formatCount(nowSeconds));
  return isIfNeeded ? t('if still needed') : '';
}

function formatKnown(value: number | null, format: (value: number) => string): string {
  return value === null ? '' : format(value);
}

function updateBox(box: HTMLInputElement, isTicked: boolean, isEnabled: boolean): void {
  if (box.checked !== isTicked) box.checked = isTicked;
  const disabled = String(!isEnabled);
  if (box.getAttribute('aria-disabled') !== disabled) box.setAttribute('aria-disabled', disabled);
}

/** @param onRight a wrong value is replaced */
function updateWave(input: HTMLInputElement, wave: number | null, onRight: () => void): void {
  input.hidden = wave === null;
  const isTyping = document.activeElement === input && input.getAttribute('aria-invalid') === 'true';
  if (wave === null || isTyping) return;
  if (input.hasAttribute('aria-invalid')) onRight();
  input.removeAttribute('aria-invalid');
  if (input.value !== String(wave)) input.value = String(wave);
}
