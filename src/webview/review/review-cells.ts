/** The cells of one database in the table of a review: its box, its wave, and why. */
import { checkWave } from '../../core/picture/review-draft';
import type { ReviewRow } from '../../core/picture/review-page';
import { createElement, setText } from '../elements';
import type { TableRow } from '../tables/table-rows';

/** A row as it is drawn: with what the reader has chosen since it was planned. */
export interface DrawnRow extends TableRow {
  readonly row: ReviewRow;
  readonly isTicked: boolean;
  /** null: the database is in no wave. */
  readonly wave: number | null;
}

export interface CellEvents {
  onTick(databaseId: number, isIn: boolean): void;
  onWave(databaseId: number, wave: number): void;
  /** What is wrong with what was typed as a wave; null: nothing. */
  onComplaint(sentence: string | null): void;
}

/** 0 is a setting, not a number of seconds. */
export function describeTarget(seconds: number | null): string {
  if (seconds === null) return 'not observable';
  return seconds === 0 ? 'automatic' : `${seconds.toLocaleString('en-US')} s`;
}

export function createReviewCells(document: Document, { row }: DrawnRow, events: CellEvents): readonly HTMLElement[] {
  const { databaseId, name } = row;
  const [nameId, reasonId] = [`name-${databaseId}`, `reason-${databaseId}`];
  const cell = (column: string, spec: Parameters<typeof createElement>[2] = {}): HTMLElement =>
    createElement(document, 'td', { ...spec, attributes: { 'data-column': column, ...spec.attributes } });
  return [
    cell('in', { children: [createBox(document, databaseId, { nameId, reasonId }, events)] }),
    createElement(document, 'th', {
      class: 'data',
      text: name,
      title: name,
      attributes: { scope: 'row', id: nameId, 'data-column': 'database' },
    }),
    cell('now', { class: 'num' }),
    cell('wanted', { class: 'num' }),
    cell('wave', { class: 'num', children: [createWaveInput(document, row, events)] }),
    cell('verdict'),
    cell('reason', {
      attributes: { id: reasonId },
      children: [createElement(document, 'span'), createElement(document, 'span', { class: 'notes-of' })],
    }),
  ];
}

/** Stays reachable where it cannot be ticked, so that everyone can hear why. */
function createBox(document: Document, databaseId: number, ids: { nameId: string; reasonId: string }, events: CellEvents): HTMLElement {
  const box = createElement(document, 'input', {
    attributes: { type: 'checkbox', 'aria-labelledby': ids.nameId, 'aria-describedby': ids.reasonId },
  });
  box.addEventListener('click', (event) => {
    if (box.getAttribute('aria-disabled') === 'true') event.preventDefault();
  });
  box.addEventListener('change', () => events.onTick(databaseId, box.checked));
  return box;
}

function createWaveInput(document: Document, { databaseId, name }: ReviewRow, events: CellEvents): HTMLElement {
  const input = createElement(document, 'input', {
    class: 'wave num',
    attributes: { type: 'number', min: '1', max: '999', 'aria-label': `Wave of ${name}` },
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
type ReviewCells = readonly [HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement, HTMLElement];

/** Brings the cells up to date; what the reader is typing is left alone. */
export function patchReviewCells(element: HTMLTableRowElement, { row, isTicked, wave }: DrawnRow): void {
  const [box, name, now, wanted, waveCell, verdict, reason] = [...element.cells] as unknown as ReviewCells;
  element.dataset['database'] = String(row.databaseId);
  element.dataset['state'] = row.state;
  patchBox(box.firstElementChild as HTMLInputElement, row, isTicked);
  setText(name, row.name);
  setText(now, describeTarget(row.nowSeconds));
  setText(wanted, row.wantedSeconds === null ? '' : describeTarget(row.wantedSeconds));
  patchWave(waveCell.firstElementChild as HTMLInputElement, isTicked ? wave : null);
  setText(verdict, row.verdict);
  setText(reason.firstElementChild!, row.reason);
  setText(reason.lastElementChild!, row.notes.length === 0 ? '' : ` ${row.notes.join(' ')}`);
}

function patchBox(box: HTMLInputElement, row: ReviewRow, isTicked: boolean): void {
  if (box.checked !== isTicked) box.checked = isTicked;
  const disabled = String(!row.canBeIn && !isTicked);
  if (box.getAttribute('aria-disabled') !== disabled) box.setAttribute('aria-disabled', disabled);
}

function patchWave(input: HTMLInputElement, wave: number | null): void {
  input.hidden = wave === null;
  const isTyping = input.ownerDocument.activeElement === input && input.getAttribute('aria-invalid') === 'true';
  if (wave === null || isTyping) return;
  input.removeAttribute('aria-invalid');
  if (input.value !== String(wave)) input.value = String(wave);
}
