/** Keys that work wherever the focus is on the page, but not in a field and not in a dialog, which have keys of their own. */
import { readPageKey, type Gesture } from './layout/gesture';

/** Returns what ends it. */
export function listenToPageKeys(document: Document, onGesture: (gesture: Gesture) => void): () => void {
  const press = (event: KeyboardEvent): void => {
    const gesture = event.defaultPrevented || isField(event.target) ? null : readPageKey(event);
    if (!gesture) return;
    event.preventDefault();
    onGesture(gesture);
  };
  document.addEventListener('keydown', press);
  return () => document.removeEventListener('keydown', press);
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && target.type !== 'checkbox');
