/**
 * Keys that work anywhere on the page except in a field or a dialog, which have keys of their own; and the sheet of all
 * keys.
 */
import { readPageKey, type Gesture, writeSheet, type SheetGroup } from '../kit/gesture';
import { Dialog } from '../kit/dialog';
import { createElement, wrap } from '../kit/elements';
import { t } from '../../core/language';

interface PageKeyEvents {
  onGesture(gesture: Gesture): void;
  /** Enter on a row of any table opens the timeline at its database. */
  onOpen(databaseId: number): void;
}

/** Listens to the keys of the page, and to Enter on the row of a database. */
export function listenToPageKeys(events: PageKeyEvents): void {
  document.addEventListener('keydown', (event) => {
    const row =
      event.target instanceof HTMLTableRowElement && event.key === 'Enter'
        ? event.target.dataset['databaseId']
        : undefined;
    // The row also took the key: it has selected its database.
    if (row !== undefined) return events.onOpen(Number(row));
    const gesture = event.defaultPrevented || isField(event.target) ? null : readPageKey(event);
    if (!gesture) return;
    event.preventDefault();
    events.onGesture(gesture);
  });
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');

/** The sheet of what wheel, pointer and keys do, from the table of gestures. @returns the dialog, closed */
export function createKeySheet(): Dialog {
  const groups = wrap(
    'div.key-groups',
    writeSheet().map((group) => createGroup(group)),
  );
  const note = createElement('p.dim', {
    text: t(
      'Keys work while the lanes have the focus. The keys of the strips work while the strips have it; Shift + Tab goes there. / and ? work everywhere except in a field.',
    ),
  });
  return new Dialog('key-sheet', [groups, note]);
}

function createGroup({ name, lines }: SheetGroup): HTMLElement {
  const rows = lines.map(({ caps, does }) =>
    wrap('tr', [
      createElement('th', {
        scope: 'row',
        children: caps.map((text) => createElement('kbd', { text })),
      }),
      createElement('td', { text: does }),
    ]),
  );
  return wrap('table.keys-table', [createElement('caption', { text: name }), wrap('tbody', rows)]);
}
