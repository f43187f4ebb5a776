/** Makes texts of a chart fit: cuts them with an ellipsis or moves them a line down, so that they never overlap. */
import { fitText, makeVisible } from '../../core/visible';

/** Width of texts in the chart's font. Passed in, so that charts are the same without a browser. */
export interface TextMeasure {
  /** Height of the font. */
  readonly sizePx: number;
  widthPx(text: string): number;
}

/** The visible text, cut to this width in its middle. */
export const cutText = (whole: string, widthPx: number, measure: TextMeasure): string =>
  fitText(makeVisible(whole), widthPx, (text) => measure.widthPx(text));

interface PlacedText {
  readonly text: string;
  readonly leftPx: number;
  /** 0 is the first line. */
  readonly line: number;
}

/** Places texts one after the other and breaks them into lines. @param beforePx room for a sign before each text */
export function flowTexts(
  texts: readonly string[],
  widthPx: number,
  beforePx: number,
  gapPx: number,
  measure: TextMeasure,
): readonly PlacedText[] {
  let [leftPx, line] = [0, 0];
  return texts.map((whole) => {
    const text = cutText(whole, widthPx - beforePx, measure);
    const width = beforePx + measure.widthPx(text);
    if (leftPx > 0 && leftPx + width > widthPx) [leftPx, line] = [0, line + 1];
    const placed = { text, leftPx: leftPx + beforePx, line };
    leftPx += width + gapPx;
    return placed;
  });
}

/** Measures texts on the page. @param element where the chart stands; the chart has its font */
export function createTextMeasure(element: HTMLElement): TextMeasure {
  const { fontFamily, fontSize } = getComputedStyle(element);
  const context = document.createElement('canvas').getContext('2d');
  if (context) context.font = `${fontSize} ${fontFamily}`;
  const sizePx = parseFloat(fontSize);
  const known = new Map<string, number>();
  return {
    sizePx,
    widthPx: (text) => {
      // A little wider than measured: tabular figures are wider than others.
      const width =
        known.get(text) ?? Math.ceil((context?.measureText(text).width ?? text.length * sizePx * 0.6) + 1);
      known.set(text, width);
      return width;
    },
  };
}
