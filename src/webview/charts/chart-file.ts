/** A chart as a file that looks as it did on screen: the colours of the theme go with it. */
import { createSvg, type SvgNode, writeSvg } from './svg-tree';

const STYLES = [
  'fill',
  'fill-opacity',
  'stroke',
  'stroke-width',
  'stroke-dasharray',
  'stroke-opacity',
  'font-style',
  'paint-order',
] as const;
const ROOT_STYLES = ['font-family', 'font-size', 'font-variant-numeric'] as const;

/** @param element the tree as it was drawn into the page */
export function writeChartFile(tree: SvgNode, element: SVGElement): string {
  const elements = pairNodes(tree, element);
  const ground = createSvg('rect', {
    width: tree.attributes['width'] ?? 0,
    height: tree.attributes['height'] ?? 0,
    fill: readBackground(element),
  });
  const root = { ...tree, children: [ground, ...tree.children] };
  elements.set(root, element);
  return writeSvg(root, (node) => readStyles(elements.get(node), node === root ? ROOT_STYLES : STYLES));
}

/** Children of a node are children of its element in the same order. */
function pairNodes(node: SvgNode, element: Element, pairs = new Map<SvgNode, Element>()): Map<SvgNode, Element> {
  pairs.set(node, element);
  node.children.forEach((child, i) => pairNodes(child, element.children[i]!, pairs));
  return pairs;
}

function readStyles(element: Element | undefined, names: readonly string[]): Readonly<Record<string, string>> {
  // What lies in the file only, and what is not painted, has no styles.
  if (!element || element.matches('g')) return {};
  const style = getComputedStyle(element);
  const values = names.map((name) => [name, style.getPropertyValue(name)] as const);
  return Object.fromEntries(values.filter(([, value]) => value !== '' && value !== 'none' && value !== 'normal'));
}

function readBackground(element: Element): string {
  return getComputedStyle(element.ownerDocument.body).backgroundColor;
}
