/** Measures texts in the font that charts have on the page. */
import type { TextMeasure } from './chart-texts';

/** @param element where the chart stands; its font is the chart's */
export function createTextMeasure(element: HTMLElement): TextMeasure {
  const { fontFamily, fontSize } = getComputedStyle(element);
  const context = element.ownerDocument.createElement('canvas').getContext('2d');
  if (context) context.font = `${fontSize} ${fontFamily}`;
  const sizePx = parseFloat(fontSize);
  const known = new Map<string, number>();
  return {
    sizePx,
    widthPx: (text) => {
      // A little wider than measured: figures of one width are wider than others.
      const width = known.get(text) ?? Math.ceil((context?.measureText(text).width ?? text.length * sizePx * 0.6) + 1);
      known.set(text, width);
      return width;
    },
  };
}
