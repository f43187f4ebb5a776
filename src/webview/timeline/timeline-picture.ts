/** The timeline as a file, as it is shown: a title, strips, marks, lanes, axis, the whole time and the legend, in the colours of the theme. */
import { makeVisible } from '../../core/visible';
import { createSvg, writeSvg, type SvgNode } from '../charts/svg-tree';
import { INK } from './lanes/lane-strip';
import { listLaneShapes } from './lanes/lane-shapes';
import { layoutPinnedEdges } from './lanes/timeline-layout';
import type { Scene } from './lanes/paint-timeline';
import type { Theme } from '../kit/theme';
import { boxOf, readLegend, readLines, readTexts, type ShownBox, type ShownLine } from './shown-parts';

export interface PictureInput {
  /** What is drawn: canvases and texts in it. */
  readonly root: HTMLElement;
  readonly scene: Scene;
  readonly theme: Theme;
  readonly pixelRatio: number;
  /** Server, time in view and clock. */
  readonly title: string;
}

const TITLE_PX = 32;
const FONT = 'system-ui, sans-serif';

/** As an image in device pixels. */
export async function drawPng({ root, theme, pixelRatio, title }: PictureInput): Promise<ArrayBuffer> {
  const { clientWidth, clientHeight } = root;
  const canvas = new OffscreenCanvas(Math.round(clientWidth * pixelRatio), Math.round((clientHeight + TITLE_PX) * pixelRatio));
  const context = canvas.getContext('2d')!;
  context.scale(pixelRatio, pixelRatio);
  context.fillStyle = theme.background;
  context.fillRect(0, 0, clientWidth, clientHeight + TITLE_PX);
  context.textBaseline = 'middle';
  context.fillStyle = theme.foreground;
  context.font = `600 14px ${FONT}`;
  context.fillText(makeVisible(title), 12, TITLE_PX / 2);
  context.translate(0, TITLE_PX);
  for (const { element, box } of listCanvases(root)) context.drawImage(element, box.xPx, box.yPx, box.widthPx, box.heightPx);
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

/** As shapes; strips and the whole time are images in it, as they are on the page. */
export function drawSvgPicture({ root, scene, theme, pixelRatio, title }: PictureInput): string {
  const { clientWidth: width, clientHeight: height } = root;
  const heading = writeText(title, 12, TITLE_PX / 2, theme.foreground, 14, '600');
  const images = listCanvases(root).map(({ element, box }) =>
    element.matches('.lanes-canvas') ? drawLanes(scene, theme, box, pixelRatio) : drawImage(element, box),
  );
  const lines = listLines(root, theme).map(({ xPx, yPx, widthPx, heightPx, colour }) =>
    createSvg('rect', { x: xPx, y: yPx, width: widthPx, height: heightPx, fill: colour }),
  );
  const texts = readTexts(root).map(({ text, xPx, yPx, colour, sizePx, weight }) => writeText(text, xPx, yPx, colour, sizePx, weight));
  return writeSvg(
    createSvg('svg', { width, height: height + TITLE_PX, viewBox: `0 0 ${width} ${height + TITLE_PX}`, 'font-family': FONT }, [
      createSvg('rect', { width, height: height + TITLE_PX, fill: theme.background }),
      heading,
      createSvg('g', { transform: `translate(0 ${TITLE_PX})` }, [...images, ...lines, ...texts]),
    ]),
  );
}

const listLines = (root: HTMLElement, theme: Theme): readonly ShownLine[] => [
  ...readLines(root),
  ...readLegend(root, theme.ramp, theme.dim),
];

function writeText(text: string, x: number, y: number, fill: string, size: number, weight: string): SvgNode {
  return createSvg('text', { x, y, fill, 'font-size': size, 'font-weight': weight, 'dominant-baseline': 'central' }, text);
}

function listCanvases(root: HTMLElement): readonly { readonly element: HTMLCanvasElement; readonly box: ShownBox }[] {
  return [...root.querySelectorAll('canvas')]
    .filter(({ width, height }) => width > 0 && height > 0)
    .map((element) => ({ element, box: boxOf(element, root) }));
}

const drawImage = (canvas: HTMLCanvasElement, { xPx, yPx, widthPx, heightPx }: ShownBox): SvgNode =>
  createSvg('image', { x: xPx, y: yPx, width: widthPx, height: heightPx, href: canvas.toDataURL('image/png') });

/** In device pixels inside a box of CSS pixels, so that every bar stands where it does on the page. */
function drawLanes(scene: Scene, theme: Theme, { xPx, yPx, widthPx, heightPx }: ShownBox, pixelRatio: number): SvgNode {
  const { layout, pictures, columnMs, gaps, changes, pinnedLanes, laneCount } = scene;
  const bars = listLaneShapes(layout, pictures, columnMs).map(({ x, y, width, height, ink }) =>
    createSvg('rect', {
      ...{ class: ink >= INK.level ? 'bar' : 'edge', x, y, width, height },
      fill: ink >= INK.level ? theme.ramp[ink - INK.level]! : theme.foreground,
    }),
  );
  const [line, hairline] = [Math.max(1, Math.round(pixelRatio)), Math.max(1, Math.floor(pixelRatio))];
  const spans = gaps.map(({ from, end }) =>
    createSvg('rect', {
      x: layout.plotLeft + from,
      y: 0,
      width: end - from,
      height: layout.height,
      fill: theme.dim,
      'fill-opacity': '0.25',
    }),
  );
  const marks = changes.map(({ at }) =>
    createSvg('rect', { x: layout.plotLeft + at, y: 0, width: line, height: layout.height, fill: theme.accent }),
  );
  const edges = layoutPinnedEdges(layout, pinnedLanes, laneCount).map((edge) =>
    createSvg('rect', { class: 'pinned-edge', x: 0, y: edge - hairline, width: layout.width, height: hairline, fill: theme.dim }),
  );
  const viewBox = `0 0 ${layout.width} ${layout.height}`;
  return createSvg('svg', { x: xPx, y: yPx, width: widthPx, height: heightPx, viewBox }, [...bars, ...edges, ...spans, ...marks]);
}
