/**
 * The timeline as a file, as it is on screen: title, verdict, strips, marks, lanes, axis, minimap and legend, in the
 * colours of the theme.
 */
import { fitText, makeVisible } from '../../core/visible';
import { createSvg, writeSvg, type SvgNode } from '../charts/svg-tree';
import { listLaneShapes } from './lanes/lane-shapes';
import { INK } from './lanes/lane-strip';
import { HATCH_PX, measureGapTick } from './lanes/lane-image';
import { placeLaneTick } from './lanes/paint-marks';
import { bottomOf, DASH_PX, type Scene } from './lanes/paint-timeline';
import { laneCover, laneTop, layoutPinnedEdges, listLanesInView } from './lanes/timeline-layout';
import { SIGN_BOX } from './legend';
import type { Theme } from '../kit/theme';

export interface PictureInput {
  /** The element whose canvases, signs and texts are drawn. */
  readonly root: HTMLElement;
  readonly scene: Scene;
  readonly theme: Theme;
  readonly pixelRatio: number;
  /** Server, time in view and clock; below it what else there is to say of it. */
  readonly title: string;
  readonly verdict: string;
}

const TITLE_PX = 28;
const VERDICT_PX = 20;
const FONT = 'system-ui, sans-serif';

const headPxOf = ({ verdict }: PictureInput): number => TITLE_PX + (verdict === '' ? 0 : VERDICT_PX);

/** As a PNG image in device pixels: the SVG, painted. */
export async function drawPng(input: PictureInput): Promise<ArrayBuffer> {
  const { root, pixelRatio } = input;
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(drawSvgPicture(input))}`;
  await image.decode();
  const [width, height] = [root.clientWidth, root.clientHeight + headPxOf(input)].map((px) =>
    Math.round(px * pixelRatio),
  );
  const canvas = new OffscreenCanvas(width!, height!);
  canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
  return (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer();
}

/** As an SVG; strips and minimap are images in it, as they are on the page. */
export function drawSvgPicture(input: PictureInput): string {
  const { root, scene, theme, pixelRatio, title, verdict } = input;
  const headPx = headPxOf(input);
  const [width, height] = [root.clientWidth, root.clientHeight + headPx];
  const images = listCanvases(root).map(({ element, box }) =>
    element.matches('.lanes-canvas') ? drawLanes(scene, theme, box, pixelRatio) : drawImage(element, box),
  );
  const lines = [...readLines(root), ...readScale(root, theme)].map((line) =>
    createSvg('rect', { ...writeBox(line), fill: line.colour }),
  );
  const body = [...images, ...lines, ...copySigns(root), ...copyTexts(root)];
  const head = { x: 12, fill: theme.foreground };
  return writeSvg(
    createSvg('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'font-family': FONT }, [
      createSvg('rect', { width, height, fill: theme.background }),
      writeText(title, { ...head, y: TITLE_PX / 2 + 2, 'font-size': 14, 'font-weight': '600' }),
      ...(verdict === ''
        ? []
        : [writeText(verdict, { ...head, y: TITLE_PX + VERDICT_PX / 2 - 2, 'font-size': 12 })]),
      createSvg('g', { transform: `translate(0 ${headPx})` }, body),
    ]),
  );
}

const writeText = (text: string, look: SvgNode['attributes']): SvgNode =>
  createSvg('text', { ...look, 'dominant-baseline': 'central' }, makeVisible(text));

function listCanvases(
  root: HTMLElement,
): readonly { readonly element: HTMLCanvasElement; readonly box: ShownBox }[] {
  return [...root.querySelectorAll('canvas')]
    .filter(({ width, height }) => width > 0 && height > 0)
    .map((element) => ({ element, box: boxOf(element, root) }));
}

const writeBox = ({ xPx, yPx, widthPx, heightPx }: ShownBox) => ({
  x: xPx,
  y: yPx,
  width: widthPx,
  height: heightPx,
});

const drawImage = (canvas: HTMLCanvasElement, box: ShownBox): SvgNode =>
  createSvg('image', { ...writeBox(box), href: canvas.toDataURL('image/png') });

/** Draws in device pixels inside a box of CSS pixels, so that every bar stands where it does on the page. */
function drawLanes(scene: Scene, theme: Theme, box: ShownBox, pixelRatio: number): SvgNode {
  const { layout, pictures, columnMs, changes, pinnedLanes, laneCount } = scene;
  const bars = listLaneShapes(layout, pictures, columnMs).map(({ x, y, width, height, ink }) =>
    createSvg('rect', {
      class: ink >= INK.level ? 'bar' : 'edge',
      x,
      y,
      width,
      height,
      fill: ink >= INK.level ? theme.ramp[ink - INK.level]! : theme.foreground,
    }),
  );
  const [line, hairline] = [Math.max(1, Math.round(pixelRatio)), Math.max(1, Math.floor(pixelRatio))];
  const marks = changes.map(({ at }) => {
    const x = layout.plotLeft + at + line / 2;
    const look = {
      stroke: theme.accent,
      'shape-rendering': 'crispEdges',
      'stroke-width': line,
      'stroke-dasharray': Math.round(DASH_PX * pixelRatio),
    };
    return createSvg('line', { x1: x, x2: x, y1: 0, y2: bottomOf(scene), ...look });
  });
  const edges = layoutPinnedEdges(layout, pinnedLanes, laneCount).map((edge) =>
    createSvg('rect', {
      class: 'pinned-edge',
      x: 0,
      y: edge - hairline,
      width: layout.width,
      height: hairline,
      fill: theme.dim,
    }),
  );
  const ticks = scene.ticks.map((tick) =>
    createSvg('rect', { class: 'tick', ...placeLaneTick(tick, layout), fill: theme.marks[tick.kind] }),
  );
  const viewBox = `0 0 ${layout.width} ${layout.height}`;
  const shapes = [...drawGaps(scene, theme, pixelRatio), ...bars, ...edges, ...marks, ...ticks];
  return createSvg('svg', { ...writeBox(box), viewBox }, shapes);
}

/** The gaps, as far down as there are lanes. */
function drawGaps(scene: Scene, theme: Theme, pixelRatio: number): readonly SvgNode[] {
  const { layout } = scene;
  const block = (x: number, y: number, width: number, height: number, fill: string): SvgNode =>
    createSvg('rect', { class: 'gap', x: layout.plotLeft + x, y, width, height, fill });
  const spans = scene.gaps.flatMap((gap) => {
    const { from, end, isPartial } = gap;
    const tickPx = measureGapTick(gap, pixelRatio);
    return tickPx === null
      ? [block(from, 0, end - from, bottomOf(scene), `url(#${isPartial ? 'partial' : 'whole'})`)]
      : listLanesInView(layout).map((lane) => {
          const heightPx = Math.min(tickPx, layout.laneHeight - laneCover(layout, lane));
          const top = laneTop(layout, lane) + layout.laneHeight - heightPx;
          return block(from, top, end - from, heightPx, theme.dim);
        });
  });
  const hatching = (['whole', 'partial'] as const).map((id) => {
    const px = Math.round(HATCH_PX[id] * pixelRatio);
    const d = `M-1 1L1 -1M0 ${px}L${px} 0M${px - 1} ${px + 1}L${px + 1} ${px - 1}`;
    return createSvg('pattern', { id, width: px, height: px, patternUnits: 'userSpaceOnUse' }, [
      createSvg('path', {
        d,
        stroke: theme.dim,
        'stroke-width': Math.max(1, Math.round(pixelRatio)),
        'stroke-opacity': '0.55',
      }),
    ]);
  });
  return [createSvg('defs', {}, hatching), ...spans];
}

/** The signs of the legend, in the colours that they have on the page. */
function copySigns(root: HTMLElement): readonly SvgNode[] {
  return [...root.querySelectorAll<SVGSVGElement>('svg.swatch')].flatMap((sign) => {
    const box = boxOf(sign, root);
    if (box.widthPx === 0) return [];
    const shapes = [...sign.children].map((shape) => {
      const { fill, stroke, strokeWidth, strokeDasharray } = getComputedStyle(shape);
      const look = { fill, stroke, 'stroke-width': strokeWidth, 'stroke-dasharray': strokeDasharray };
      const own = Object.fromEntries([...shape.attributes].map(({ name, value }) => [name, value]));
      return createSvg(shape.tagName as SvgNode['tag'], { ...own, ...look });
    });
    return [clip(createSvg('svg', { ...writeBox(box), viewBox: SIGN_BOX }, shapes), sign, root)];
  });
}

/** CSS pixels from the timeline's left top corner. */
interface ShownBox {
  readonly xPx: number;
  readonly yPx: number;
  readonly widthPx: number;
  readonly heightPx: number;
}

interface ShownLine extends ShownBox {
  readonly colour: string;
}

const LEFT_OUT = '.card, .menu, .visually-hidden, .measure-card, .link, title';

/** The texts outside of the canvases, read from the page. An SVG cuts no texts, so names are cut here. */
function copyTexts(root: Element): readonly SvgNode[] {
  const texts: SvgNode[] = [];
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const own = walker.currentNode.parentElement!;
    // The page has a long name in two parts.
    const parent = own.closest('.name') ?? own;
    const whole = (parent === own ? walker.currentNode : parent).textContent ?? '';
    if (whole.trim() === '' || parent.closest(LEFT_OUT) || own.matches('.name > :last-child')) continue;
    const range = document.createRange();
    range.selectNodeContents(walker.currentNode);
    const { xPx, yPx, widthPx, heightPx } = boxOf(range, root);
    if (widthPx === 0) continue;
    const style = getComputedStyle(parent);
    const look = {
      y: yPx + heightPx / 2,
      fill: parent instanceof SVGElement ? style.fill : style.color,
      'font-size': parseFloat(style.fontSize),
      'font-weight': style.fontWeight,
    };
    if (style.textOverflow !== 'ellipsis') {
      texts.push(clip(writeText(whole, { x: Math.max(0, xPx), ...look }), parent, root));
      continue;
    }
    // Names end beside the bars, whatever the font in which the picture is shown.
    const box = boxOf(parent, root);
    const x = box.xPx + box.widthPx - parseFloat(style.paddingRight);
    const name = cutText(whole, x - box.xPx - parseFloat(style.paddingLeft), style);
    texts.push(clip(writeText(name, { x, ...look, 'text-anchor': 'end' }), parent, root));
  }
  return texts;
}

/** Names of lanes and entries of the legend are seen inside of these alone, as on the page. */
function clip(node: SvgNode, parent: Element, root: Element): SvgNode {
  const outer = parent.closest('.lanes-stage, .legend');
  if (outer === null) return node;
  const box = writeBox(boxOf(outer, root));
  return createSvg('svg', { ...box, viewBox: Object.values(box).join(' ') }, [node]);
}

/** Lines and paths of the axis, all straight. */
function readLines(root: Element): readonly ShownLine[] {
  return [...root.querySelectorAll<SVGElement>('.axis line, .axis path')].map((line) => {
    const { xPx, yPx, widthPx, heightPx } = boxOf(line, root);
    return {
      xPx,
      yPx,
      widthPx: Math.max(1, widthPx),
      heightPx: Math.max(1, heightPx),
      colour: getComputedStyle(line).stroke,
    };
  });
}

/** The colour scale of the legend, with the tick of the recovery interval. */
function readScale(root: Element, { ramp, foreground }: Theme): readonly ShownLine[] {
  const levels = [...root.querySelectorAll('.ramp')].flatMap((element) => {
    const { xPx, widthPx, ...rest } = boxOf(element, root);
    const stepPx = widthPx / ramp.length;
    // Each reaches under the next, or the ground would shine through between them.
    return ramp.map((colour, i) => ({ ...rest, xPx: xPx + i * stepPx, widthPx: stepPx + 0.5, colour }));
  });
  const tick = root.querySelector('.ramp-mark');
  return tick === null ? levels : [...levels, { ...boxOf(tick, root), colour: foreground }];
}

function boxOf(element: Element | Range, root: Element): ShownBox {
  const [box, origin] = [element.getBoundingClientRect(), root.getBoundingClientRect()];
  return { xPx: box.left - origin.left, yPx: box.top - origin.top, widthPx: box.width, heightPx: box.height };
}

function cutText(text: string, widthPx: number, { fontWeight, fontSize }: CSSStyleDeclaration): string {
  const context = new OffscreenCanvas(1, 1).getContext('2d')!;
  context.font = `${fontWeight} ${fontSize} ${FONT}`;
  return fitText(text, widthPx, (shown) => context.measureText(shown).width);
}
