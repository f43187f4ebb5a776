/** Keys that work wherever the focus is on the page, but not in a field and not in a dialog, which have keys of their own; and Enter on the row of a database. */
import { readPageKey, type Gesture } from '../kit/gesture';

interface PageKeyEvents {
  onGesture(gesture: Gesture): void;
  /** Enter on a row of any table: the timeline at that database. */
  onOpen(databaseId: number): void;
}

/** Returns what ends it. */
export function listenToPageKeys(document: Document, events: PageKeyEvents): () => void {
  const press = (event: KeyboardEvent): void => {
    const row = event.target instanceof HTMLTableRowElement && event.key === 'Enter' ? event.target.dataset['databaseId'] : undefined;
    // The row has taken the key, too: it selected its database.
    if (row !== undefined) return events.onOpen(Number(row));
    const gesture = event.defaultPrevented || isField(event.target) ? null : readPageKey(event);
    if (!gesture) return;
    event.preventDefault();
    events.onGesture(gesture);
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
