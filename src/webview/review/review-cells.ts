/**
 * The rows of the table of a review: a group with its box; a database with its box and wave; the sentence under it; and
 * the button for more of a group.
 */
import { formatCount, formatDuration, formatPerHour, formatPercent } from '../../core/format';
import { checkWave } from '../../core/review/review-draft';
import type { ReviewGroup } from '../../core/review/review-groups';
import type { ReviewRow } from '../../core/review/review-page';
import { createButton, createElement, setLabel, setText, setTitle } from '../kit/elements';
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

type Drawn<Kind extends DrawnRow['kind']> = Extract<DrawnRow, { kind: Kind }>;

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

export function createReviewCells(
  document: Document,
  drawn: DrawnRow,
  events: CellEvents,
): readonly HTMLElement[] {
  switch (drawn.kind) {
    case 'group':
      return createGroupCells(document, drawn.group.group, events);
    case 'database':
      return createDatabaseCells(document, drawn.row, events);
    case 'note':
      return [
        createElement(document, 'td'),
        createElement(document, 'td', { class: 'dim', attributes: { colspan: BESIDE } }),
      ];
    case 'more': {
      const button = createButton(document, '', () => events.onShowAll(drawn.group), { class: 'link' });
      return [
        createElement(document, 'td'),
        createElement(document, 'td', { attributes: { colspan: BESIDE }, children: [button] }),
      ];
    }
    default:
      return drawn satisfies never;
  }
}

/** Brings the cells up to date, except what the reader is typing. */
export function patchReviewCells(element: HTMLTableRowElement, drawn: DrawnRow): void {
  element.className = `${drawn.kind}-row`;
  switch (drawn.kind) {
    case 'group':
      return patchGroup(element, drawn);
    case 'database':
      return patchDatabase(element, drawn);
    case 'note':
      return setText(element.cells[1]!, joinReason(drawn.row));
    case 'more':
      return setText(element.querySelector('button')!, t('Show {0} more', formatCount(drawn.more)));
    default:
      return drawn satisfies never;
  }
}

function createGroupCells(document: Document, group: string, events: CellEvents): readonly HTMLElement[] {
  const box = createBox(document, {}, (isIn) => events.onTickGroup(group, isIn));
  const button = createButton(
    document,
    '',
    () => events.onOpen(group, button.getAttribute('aria-expanded') !== 'true'),
    {
      class: 'group-name',
    },
  );
  const span = (name: string): HTMLElement => createElement(document, 'span', { class: `dim ${name}` });
  const heading = createElement(document, 'div', { children: [button, span('num'), span('why')] });
  return [
    createElement(document, 'td', { attributes: { 'data-column': 'in' }, children: [box] }),
    createElement(document, 'th', {
      attributes: { scope: 'rowgroup', colspan: BESIDE, 'data-column': 'group' },
      children: [heading],
    }),
  ];
}

function patchGroup(element: HTMLTableRowElement, { group, ticked, canBeIn }: Drawn<'group'>): void {
  const box = element.querySelector('input')!;
  const button = element.querySelector('button')!;
  element.dataset['group'] = group.group;
  box.indeterminate = ticked === 'mixed';
  patchBox(box, ticked === true, canBeIn || ticked !== false);
  setLabel(box, t('All of {0}', group.name));
  button.setAttribute('aria-expanded', String(group.isOpen));
  setText(button, group.name);
  const share = group.share === null ? [] : [t('{0} of the task', formatPercent(group.share))];
  setText(element.querySelector('.num')!, [formatCount(group.rows.length), ...share].join(' · '));
  setText(element.querySelector('.why')!, group.why);
}

function createDatabaseCells(
  document: Document,
  { databaseId, name }: ReviewRow,
  events: CellEvents,
): readonly HTMLElement[] {
  const [nameId, reasonId] = [`name-${databaseId}`, `reason-${databaseId}`];
  const cell = (column: string, children: readonly Node[] = []): HTMLElement =>
    createElement(document, 'td', { class: 'num', attributes: { 'data-column': column }, children });
  const box = createBox(document, { 'aria-labelledby': nameId, 'aria-describedby': reasonId }, (isIn) =>
    events.onTick(databaseId, isIn),
  );
  const reason = createElement(document, 'span', { attributes: { id: reasonId, hidden: '' } });
  const header = createElement(document, 'th', {
    attributes: { scope: 'row', 'data-column': 'database' },
    children: [
      createElement(document, 'span', { class: 'data', text: name, attributes: { id: nameId } }),
      createElement(document, 'span', { class: 'dim tag' }),
      createElement(document, 'span', { class: 'mark', attributes: { 'data-kind': 'look first' } }),
    ],
  });
  const bar = createElement(document, 'span', { class: 'bar', attributes: { 'aria-hidden': 'true' } });
  return [
    cell('in', [box, reason]),
    header,
    cell('share'),
    cell('bar', [bar]),
    cell('perHour'),
    cell('medianMs'),
    cell('wave', [createWaveInput(document, { databaseId, name }, events)]),
  ];
}

/** The focus reaches the box even if it cannot be ticked, so that a screen reader can say why. */
function createBox(
  document: Document,
  attributes: Readonly<Record<string, string>>,
  onChange: (isTicked: boolean) => void,
): HTMLInputElement {
  const box = createElement(document, 'input', { attributes: { type: 'checkbox', ...attributes } });
  box.addEventListener('click', (event) => {
    if (box.getAttribute('aria-disabled') === 'true') event.preventDefault();
  });
  box.addEventListener('change', () => onChange(box.checked));
  return box;
}

function createWaveInput(
  document: Document,
  { databaseId, name }: Pick<ReviewRow, 'databaseId' | 'name'>,
  events: CellEvents,
): HTMLElement {
  const input = createElement(document, 'input', {
    class: 'wave num',
    attributes: { type: 'number', min: '1', max: '999', 'aria-label': t('Wave of {0}', name) },
  });
  input.addEventListener('change', () => {
    const complaint = checkWave(input.value);
    events.onComplaint(complaint === null ? null : `${name}: ${complaint}`);
    if (complaint === null) events.onWave(databaseId, Number(input.value));
    else input.setAttribute('aria-invalid', 'true');
  });
  return input;
}

/** In the order of the columns. */
type DatabaseCells = readonly [
  HTMLElement,
  HTMLElement,
  HTMLElement,
  HTMLElement,
  HTMLElement,
  HTMLElement,
  HTMLElement,
];

function patchDatabase(element: HTMLTableRowElement, { row, isTicked, wave, bar }: Drawn<'database'>): void {
  const [box, name, share, barCell, perHour, median, waveCell] = [
    ...element.cells,
  ] as unknown as DatabaseCells;
  element.dataset['database'] = String(row.databaseId);
  element.dataset['state'] = row.state;
  patchBox(box.firstElementChild as HTMLInputElement, isTicked, row.canBeIn || isTicked);
  const reason = joinReason(row);
  setText(box.lastElementChild!, reason);
  const [shown, tag, mark] = [...name.children] as unknown as readonly [
    HTMLElement,
    HTMLElement,
    HTMLElement,
  ];
  setText(shown, row.name);
  setTitle(name, `${row.name}\n${VERDICT_NAMES[row.verdict]}. ${reason}`);
  setText(tag, nameTag(row));
  setText(mark, row.notes.length === 0 ? '' : '▲');
  setText(share, formatKnown(row.share, formatPercent));
  (barCell.firstElementChild as HTMLElement).style.width =
    `${row.share === null ? 0 : Math.max(1, Math.round(bar * BAR_PX))}px`;
  setText(perHour, formatKnown(row.perHour, formatPerHour));
  setText(median, formatKnown(row.medianMs, formatDuration));
  patchWave(waveCell.firstElementChild as HTMLInputElement, isTicked ? wave : null);
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

function patchBox(box: HTMLInputElement, isTicked: boolean, isEnabled: boolean): void {
  if (box.checked !== isTicked) box.checked = isTicked;
  const disabled = String(!isEnabled);
  if (box.getAttribute('aria-disabled') !== disabled) box.setAttribute('aria-disabled', disabled);
}

function patchWave(input: HTMLInputElement, wave: number | null): void {
  input.hidden = wave === null;
  const isTyping =
    input.ownerDocument.activeElement === input && input.getAttribute('aria-invalid') === 'true';
  if (wave === null || isTyping) return;
  input.removeAttribute('aria-invalid');
  if (input.value !== String(wave)) input.value = String(wave);
}
