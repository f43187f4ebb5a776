/** The sheet of keys: what wheel, pointer and keys do, as the map of gestures has it. */
import { Dialog } from '../kit/dialog';
import { createElement } from '../kit/elements';
import { writeSheet, type SheetGroup } from '../kit/gesture';

/** @returns the dialog, closed */
export function createKeySheet(document: Document): Dialog {
  const groups = createElement(document, 'div', {
    class: 'key-groups',
    children: writeSheet().map((group) => createGroup(document, group)),
  });
  const note = createElement(document, 'p', {
    class: 'dim',
    text: 'Keys work while the lanes have the focus, and those of the strips while the strips have it: Shift + Tab goes there. / and ? work everywhere but in a field.',
  });
  return new Dialog(document, 'key-sheet', [groups, note]);
}

function createGroup(document: Document, { name, lines }: SheetGroup): HTMLElement {
  const rows = lines.map(({ caps, does }) =>
    createElement(document, 'tr', {
      children: [
        createElement(document, 'th', {
          attributes: { scope: 'row' },
          children: caps.map((text) => createElement(document, 'kbd', { text })),
        }),
        createElement(document, 'td', { text: does }),
      ],
    }),
  );
  return createElement(document, 'table', {
    class: 'keys-table',
    children: [createElement(document, 'caption', { text: name }), createElement(document, 'tbody', { children: rows })],
  });
}
