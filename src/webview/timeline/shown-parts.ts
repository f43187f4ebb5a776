/** What the page shows of the timeline beside its canvases, read where it stands: texts, and the lines of the axis. CSS pixels from the left top corner of it. */
interface ShownText {
  readonly text: string;
  readonly xPx: number;
  /** The middle of the line. */
  readonly yPx: number;
  readonly colour: string;
  readonly sizePx: number;
  readonly weight: string;
}

export interface ShownBox {
  readonly xPx: number;
  readonly yPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

export interface ShownLine extends ShownBox {
  readonly colour: string;
}

const LEFT_OUT = '.card, .menu, .visually-hidden, .measure-card, .link, title';

/** Texts as they are cut on the page. */
export function readTexts(root: Element): readonly ShownText[] {
  const texts: ShownText[] = [];
  const walker = root.ownerDocument.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const parent = walker.currentNode.parentElement!;
    const text = cutText(walker.currentNode.textContent ?? '', parent);
    if (text.trim() === '' || parent.closest(LEFT_OUT)) continue;
    const range = root.ownerDocument.createRange();
    range.selectNodeContents(walker.currentNode);
    const { xPx, yPx, widthPx, heightPx } = boxOf(range, root);
    if (widthPx === 0) continue;
    const { color, fill, fontSize, fontWeight } = getComputedStyle(parent);
    const colour = parent instanceof SVGElement ? fill : color;
    texts.push({ text, xPx: Math.max(0, xPx), yPx: yPx + heightPx / 2, colour, sizePx: parseFloat(fontSize), weight: fontWeight });
  }
  return texts;
}

/** Lines and paths of the axis, all of which are straight. */
export function readLines(root: Element): readonly ShownLine[] {
  return [...root.querySelectorAll<SVGElement>('.axis line, .axis path')].map((line) => {
    const { xPx, yPx, widthPx, heightPx } = boxOf(line, root);
    return { xPx, yPx, widthPx: Math.max(1, widthPx), heightPx: Math.max(1, heightPx), colour: getComputedStyle(line).stroke };
  });
}

/** The scale of the legend, level by level, and the frames of its signs. */
export function readLegend(root: Element, ramp: readonly string[], frame: string): readonly ShownLine[] {
  const levels = [...root.querySelectorAll('.ramp')].flatMap((element) => {
    const { xPx, widthPx, ...rest } = boxOf(element, root);
    const stepPx = widthPx / ramp.length;
    return ramp.map((colour, i) => ({ ...rest, xPx: xPx + i * stepPx, widthPx: stepPx, colour }));
  });
  const signs = [...root.querySelectorAll('.swatch')].map((element) => ({ ...boxOf(element, root), colour: frame }));
  return [...levels, ...signs.filter(({ widthPx, heightPx }) => widthPx > 0 && heightPx > 0)];
}

/** Where something stands. */
export function boxOf(element: Element | Range, root: Element): ShownBox {
  const [box, origin] = [element.getBoundingClientRect(), root.getBoundingClientRect()];
  return { xPx: box.left - origin.left, yPx: box.top - origin.top, widthPx: box.width, heightPx: box.height };
}

/** Texts of an SVG are never cut, and have no such widths. No half of a character, and no joiner of an emoji that was cut, is left at the end. */
function cutText(text: string, parent: Element): string {
  const { clientWidth, scrollWidth } = parent;
  if (!(parent instanceof HTMLElement) || clientWidth === 0 || scrollWidth <= clientWidth) return text;
  const kept = text.slice(0, Math.max(1, Math.floor((text.length * clientWidth) / scrollWidth) - 1));
  return `${kept.replace(/[\ud800-\udbff\u200d]+$/, '')}…`;
}
