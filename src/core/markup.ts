/** Text for XML and HTML. */
import { makeVisible } from './visible';

/** Invisible characters are written out. Of the characters that XML forbids, that leaves two; they become U+FFFD. */
export function escapeMarkup(text: string): string {
  return makeVisible(text)
    .replace(/[\ufffe\uffff]/g, '\ufffd')
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;');
}
