/** Texts of a chart that fit where they stand: cut with an ellipsis, or moved a line down, and never over each other. */
import { makeVisible } from '../../core/visible';

/** How wide texts are in the chart's font; passed in, so that charts are the same without a browser. */
export interface TextMeasure {
  /** Height of the font. */
  readonly sizePx: number;
  widthPx(text: string): number;
}

/** The text as it is read, cut so that it is no wider; never in the middle of a character, nor behind the joiner of an emoji. */
export function cutText(whole: string, widthPx: number, measure: TextMeasure): string {
  const text = makeVisible(whole);
  if (measure.widthPx(text) <= widthPx) return text;
  const characters = [...text];
  const cut = (count: number): string =>
    `${characters
      .slice(0, count)
      .join('')
      .replace(/[ \u200d]+$/, '')}…`;
  let [fits, tooMany] = [0, characters.length];
  while (tooMany - fits > 1) {
    const middle = (fits + tooMany) >> 1;
    if (measure.widthPx(cut(middle)) <= widthPx) fits = middle;
    else tooMany = middle;
  }
  return cut(fits);
}

interface PlacedText {
  readonly text: string;
  /** Left edge of the text. */
  readonly leftPx: number;
  /** 0 is the first line. */
  readonly line: number;
}

/** Places each text about its own middle, within the width and in as many lines as are needed. @param gapPx between texts of one line */
export function placeTexts(
  texts: readonly { readonly text: string; readonly middlePx: number }[],
  fromPx: number,
  toPx: number,
  gapPx: number,
  measure: TextMeasure,
): readonly PlacedText[] {
  const ends: number[] = [];
  return [...texts]
    .sort((a, b) => a.middlePx - b.middlePx)
    .map(({ text, middlePx }) => {
      const cut = cutText(text, toPx - fromPx, measure);
      const width = measure.widthPx(cut);
      const leftPx = Math.max(fromPx, Math.min(toPx - width, middlePx - width / 2));
      const free = ends.findIndex((end) => end + gapPx <= leftPx);
      const line = free < 0 ? ends.length : free;
      ends[line] = leftPx + width;
      return { text: cut, leftPx, line };
    });
}

/** Texts one after the other, broken into lines. @param beforePx room that each needs before it, for a sign */
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

/** Measures on the page. @param element where the chart stands; its font is the chart's */
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
