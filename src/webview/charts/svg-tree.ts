/**
 * An SVG as plain values, so that a chart can be laid out without a document. It can be drawn into a document or
 * written as text.
 */
import { escapeMarkup } from '../../core/markup';
import { makeVisible } from '../../core/visible';

export interface SvgNode {
  readonly tag: 'svg' | 'defs' | 'g' | 'image' | 'line' | 'path' | 'pattern' | 'rect' | 'text';
  /** Numbers are pixels, rounded to tenths. */
  readonly attributes: Readonly<Record<string, string | number>>;
  readonly children: readonly SvgNode[];
  readonly text: string | null;
}

const NAMESPACE = 'http://www.w3.org/2000/svg';

/** A node with either children or text. */
export function createSvg(
  tag: SvgNode['tag'],
  attributes: SvgNode['attributes'],
  content: readonly SvgNode[] | string = [],
): SvgNode {
  return typeof content === 'string'
    ? { tag, attributes, children: [], text: content }
    : { tag, attributes, children: content, text: null };
}

/** The tree as elements. Names only ever become text and attribute values, made visible; keys stay exact. */
export function drawSvg({ tag, attributes, children, text }: SvgNode): SVGElement {
  const element = document.createElementNS(NAMESPACE, tag);
  for (const [name, value] of Object.entries(attributes))
    element.setAttribute(name, name === 'data-key' ? writeValue(value) : makeVisible(writeValue(value)));
  if (text !== null) element.append(makeVisible(text));
  element.append(...children.map((child) => drawSvg(child)));
  return element;
}

/**
 * The tree as XML, an element a line. Keys are made visible too: nothing looks them up in a file.
 * @param more further attributes of a node
 */
export function writeSvg(
  root: SvgNode,
  more: (node: SvgNode) => Readonly<Record<string, string>> = () => ({}),
): string {
  const write = (node: SvgNode, indent: string): string => {
    const own = node === root ? { xmlns: NAMESPACE, ...node.attributes } : node.attributes;
    const attributes = Object.entries({ ...own, ...more(node) }).map(
      ([name, value]) => ` ${name}="${escapeMarkup(writeValue(value))}"`,
    );
    const head = `${indent}<${node.tag}${attributes.join('')}`;
    const inside = node.children.map((child) => write(child, `${indent}  `)).join('');
    const text = node.text === null ? '' : escapeMarkup(node.text);
    if (inside === '') return text === '' ? `${head}/>\n` : `${head}>${text}</${node.tag}>\n`;
    return `${head}>${text}\n${inside}${indent}</${node.tag}>\n`;
  };
  return write(root, '');
}

const writeValue = (value: string | number): string =>
  typeof value === 'number' ? String(Math.round(value * 10) / 10) : value;
