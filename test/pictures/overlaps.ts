/**
 * What a reader sees at once and a measure of one element does not: lines of text and controls that lie over each
 * other.
 */
import type { OpenedPage } from '../webview/page';

/**
 * Pairs of lines of text, or controls, of which one covers a part of the other without holding it, each as
 * `one | other`. Cards, dialogs and menus lie over others on purpose; what is scrolled out of sight or cut off is not
 * seen.
 */
export async function findOverlaps({
  page,
}: {
  readonly page: Pick<OpenedPage['page'], 'evaluate'>;
}): Promise<readonly string[]> {
  return page.evaluate(() => {
    interface Part {
      readonly element: Element;
      readonly left: number;
      readonly top: number;
      readonly right: number;
      readonly bottom: number;
    }
    const overOthers =
      '[role=dialog], [role=menu], [role=tooltip], .card, .visually-hidden, [hidden], thead, option';
    const parts = [...document.querySelectorAll('#app *')]
      .filter(
        (element) =>
          element.closest(overOthers) === null &&
          element.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }),
      )
      .flatMap((element) => listBoxes(element).flatMap((box) => cutToVisible(element, box)));
    const found = new Set<string>();
    parts.forEach((a, i) => {
      for (const b of parts.slice(i + 1)) {
        if (a.element.contains(b.element) || b.element.contains(a.element)) continue;
        const width = Math.min(a.right, b.right) - Math.max(a.left, b.left);
        const height = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
        // Boxes of lines are higher than their letters.
        if (width > 1.5 && height > 4) found.add(`${describe(a.element)} | ${describe(b.element)}`);
      }
    });
    return [...found];

    function describe(element: Element): string {
      return `${element.tagName.toLowerCase()}.${element.getAttribute('class') ?? ''} "${(element.textContent ?? '').trim().slice(0, 40)}"`;
    }

    /** The box of a control; of other elements one for each line of their own text. */
    function listBoxes(element: Element): readonly DOMRect[] {
      if (element.matches('button, input, select')) return [element.getBoundingClientRect()];
      return [...element.childNodes]
        .filter((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '')
        .flatMap((node) => {
          const range = document.createRange();
          range.selectNodeContents(node);
          return [...range.getClientRects()];
        });
    }

    /** What the element and those around it let be seen of a box; nothing where that is nothing. */
    function cutToVisible(element: Element, box: DOMRect): readonly Part[] {
      let { left, top, right, bottom } = box;
      for (let at: Element | null = element; at !== null && at !== document.body; at = at.parentElement) {
        if (getComputedStyle(at).overflow === 'visible') continue;
        const frame = at.getBoundingClientRect();
        left = Math.max(left, frame.left);
        top = Math.max(top, frame.top);
        right = Math.min(right, frame.right);
        bottom = Math.min(bottom, frame.bottom);
      }
      return right - left > 1 && bottom - top > 1 ? [{ element, left, top, right, bottom }] : [];
    }
  });
}
