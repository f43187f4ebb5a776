/**
 * The timeline as a file, as it is on screen: title, strips, marks, lanes, axis, minimap and legend, in the colours of
 * the theme.
 */
import { makeVisible } from '../../core/visible';
import { createSvg, writeSvg, type SvgNode } from '../charts/svg-tree';
import { listLaneShapes } from './lanes/lane-shapes';
import { INK } from './lanes/lane-strip';
import { layoutPinnedEdges } from './lanes/timeline-layout';
import type { Scene } from './lanes/paint-timeline';
import type { Theme } from '../kit/theme';

export interface PictureInput {
  /** The element whose canvases and texts are drawn. */
  readonly root: HTMLElement;
  readonly scene: Scene;
  readonly theme: Theme;
  readonly pixelRatio: number;
  /** Server, time in view and clock. */
  readonly title: string;
}

const TITLE_PX = 32;
const FONT = 'system-ui, sans-serif';

/** As a PNG image in device pixels. */
export async function drawPng({ root, theme, pixelRatio, title }: PictureInput): Promise<ArrayBuffer> {
  const { clientWidth, clientHeight } = root;
  const canvas = new OffscreenCanvas(
    Math.round(clientWidth * pixelRatio),
    Math.round((clientHeight + TITLE_PX) * pixelRatio),
  );
  const context = canvas.getContext('2d')!;
  context.scale(pixelRatio, pixelRatio);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, clientWidth, clientHeight + TITLE_PX);
  context.textBaseline = 'middle';
  context.fillStyle = theme.foreground;
  context.font = `600 14px ${FONT}`;
  context.fillText(makeVisible(title), 12, TITLE_PX / 2);
  context.translate(0, TITLE_PX);
  for (const { element, box } of listCanvases(root))
    context.drawImage(element, box.xPx, box.yPx, box.widthPx, box.heightPx);
  for (const { xPx, yPx, widthPx, heightPx, colour } of listLines(root, theme)) {
    context.fillStyle = colour;
    context.fillRect(xPx, yPx, widthPx, heightPx);
  }
  for (const { text, xPx, yPx, colour, sizePx, weight } of readTexts(root)) {
    context.fillStyle = colour;
    context.font = `${weight} ${sizePx}px ${FONT}`;
    context.fillText(text, xPx, yPx);
  }
  return (await canvas.convertToBlob({ type: 'image/png' })).arrayBuffer();
}

/** As an SVG; strips and minimap are images in it, as they are on the page. */
export function drawSvgPicture({ root, scene, theme, pixelRatio, title }: PictureInput): string {
  const { clientWidth: width, clientHeight: height } = root;
  const heading = writeText(title, 12, TITLE_PX / 2, theme.foreground, 14, '600');
  const images = listCanvases(root).map(({ element, box }) =>
    element.matches('.lanes-canvas') ? drawLanes(scene, theme, box, pixelRatio) : drawImage(element, box),
  );
  const lines = listLines(root, theme).map((line) =>
    createSvg('rect', { ...writeBox(line), fill: line.colour }),
  );
  const texts = readTexts(root).map(({ text, xPx, yPx, colour, sizePx, weight }) =>
    writeText(text, xPx, yPx, colour, sizePx, weight),
  );
  return writeSvg(
    createSvg(
      'svg',
      { width, height: height + TITLE_PX, viewBox: `0 0 ${width} ${height + TITLE_PX}`, 'font-family': FONT },
      [
        createSvg('rect', { width, height: height + TITLE_PX, fill: theme.background }),
        heading,
        createSvg('g', { transform: `translate(0 ${TITLE_PX})` }, [...images, ...lines, ...texts]),
      ],
    ),
  );
}

const listLines = (root: HTMLElement, theme: Theme): readonly ShownLine[] => [
  ...readLines(root),
  ...readLegend(root, theme.ramp, theme.dim),
];

function writeText(text: string, x: number, y: number, fill: string, size: number, weight: string): SvgNode {
  return createSvg(
    'text',
    { x, y, fill, 'font-size': size, 'font-weight': weight, 'dominant-baseline': 'central' },
    text,
  );
}

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
  const { layout, pictures, columnMs, gaps, changes, pinnedLanes, laneCount } = scene;
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
  const upright = (from: number, width: number, look: SvgNode['attributes']): SvgNode =>
    createSvg('rect', { x: layout.plotLeft + from, y: 0, width, height: layout.height, ...look });
  const spans = gaps.map(({ from, end }) =>
    upright(from, end - from, { fill: theme.dim, 'fill-opacity': '0.25' }),
  );
  const marks = changes.map(({ at }) => upright(at, line, { fill: theme.accent }));
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
  const viewBox = `0 0 ${layout.width} ${layout.height}`;
  return createSvg('svg', { ...writeBox(box), viewBox }, [...spans, ...bars, ...edges, ...marks]);
}

/**
 * A text of the timeline outside of its canvases, read from the page. CSS pixels from the timeline's left top corner.
 */
interface ShownText {
  readonly text: string;
  readonly xPx: number;
  /** The middle of the line. */
  readonly yPx: number;
  readonly colour: string;
  readonly sizePx: number;
  readonly weight: string;
}

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

/** Texts, cut as they are on the page. */
function readTexts(root: Element): readonly ShownText[] {
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
    texts.push({
      text,
      xPx: Math.max(0, xPx),
      yPx: yPx + heightPx / 2,
      colour,
      sizePx: parseFloat(fontSize),
      weight: fontWeight,
    });
  }
  return texts;
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

/** The colour scale of the legend, and the frames of its signs. */
function readLegend(root: Element, ramp: readonly string[], frame: string): readonly ShownLine[] {
  const levels = [...root.querySelectorAll('.ramp')].flatMap((element) => {
    const { xPx, widthPx, ...rest } = boxOf(element, root);
    const stepPx = widthPx / ramp.length;
    return ramp.map((colour, i) => ({ ...rest, xPx: xPx + i * stepPx, widthPx: stepPx, colour }));
  });
  const signs = [...root.querySelectorAll('.swatch')].map((element) => ({
    ...boxOf(element, root),
    colour: frame,
  }));
  return [...levels, ...signs.filter(({ widthPx, heightPx }) => widthPx > 0 && heightPx > 0)];
}

function boxOf(element: Element | Range, root: Element): ShownBox {
  const [box, origin] = [element.getBoundingClientRect(), root.getBoundingClientRect()];
  return { xPx: box.left - origin.left, yPx: box.top - origin.top, widthPx: box.width, heightPx: box.height };
}

/**
 * The text as the page cuts it. An SVG cuts no texts. Leaves no half of a character and no joiner of a cut emoji at the
 * end.
 */
function cutText(text: string, parent: Element): string {
  const { clientWidth, scrollWidth } = parent;
  if (!(parent instanceof HTMLElement) || clientWidth === 0 || scrollWidth <= clientWidth) return text;
  const kept = text.slice(0, Math.max(1, Math.floor((text.length * clientWidth) / scrollWidth) - 1));
  return `${kept.replace(/(?<![\ud800-\udbff\u200d])[\ud800-\udbff\u200d]+$/, '')}…`;
}
