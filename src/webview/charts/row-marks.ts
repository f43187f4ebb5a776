/** The signs of one row of a chart. Each has a shape of its own, so that colour is not the only difference. */
import { symbol, symbolCircle, symbolSquare, type SymbolType } from 'd3-shape';
import { createSvg, type SvgNode } from './svg-tree';

/** The sign of one figure, with its middle at a point. */
type DrawSign = (x: number, y: number, heightPx: number) => SvgNode;

const USUAL: DrawSign = (x, y, heightPx) => drawSign('from', symbolCircle, x, y, heightPx);
const RARE: DrawSign = (x, y, heightPx) => drawSign('rare', symbolSquare, x, y, heightPx * 0.85);
const WORST: DrawSign = (x, y, heightPx) =>
  createSvg('line', { class: 'end', x1: x, x2: x, y1: y - heightPx * 0.32, y2: y + heightPx * 0.32 });

/** The signs of a row of two or three figures, in their order; also for a legend. */
export const listSigns = (figures: number): readonly DrawSign[] => (figures === 2 ? [USUAL, WORST] : [USUAL, RARE, WORST]);

/** `●━━━■────|`, or without the rare one `●────|`. @param figuresPx where its figures lie; null: not observed */
export function drawRange(figuresPx: readonly (number | null)[], middlePx: number, heightPx: number): readonly SvgNode[] {
  const [usual = null, ...others] = figuresPx;
  const worst = others.pop() ?? null;
  const [rare = null] = others;
  const line = (look: { readonly class: string }, from: number | null, to: number | null): readonly SvgNode[] =>
    from === null || to === null ? [] : [createSvg('line', { ...look, x1: from, x2: to, y1: middlePx, y2: middlePx })];
  const signs = listSigns(figuresPx.length).flatMap((draw, at) => {
    const x = figuresPx[at] ?? null;
    return x === null ? [] : [draw(x, middlePx, heightPx)];
  });
  return [...line({ class: 'span' }, rare ?? usual, worst), ...line({ class: 'span thick' }, usual, rare), ...signs.reverse()];
}

const tenths = (px: number): number => Math.round(px * 10) / 10;

/** The sign of a figure, with its middle at a point. */
export function drawSign(of: string, type: SymbolType, x: number, y: number, heightPx: number): SvgNode {
  const d = symbol(type, (heightPx * 0.36) ** 2)() ?? '';
  return createSvg('path', { class: `sign ${of}`, d, transform: `translate(${tenths(x)},${tenths(y)})` });
}
