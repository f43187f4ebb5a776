/** XML text -> a tree of elements, and back. */
import { SaxesParser } from 'saxes';
import { SqlError } from '../tds/handler';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

/** Elements at the top: a document has one, a fragment may have several. @throws SqlError 9400 for text that is no XML. */
export function parseXml(text: string): readonly (XmlElement | string)[] {
  const parser = new SaxesParser({ fragment: true });
  const top: (XmlElement | string)[] = [];
  const open: XmlElement[] = [];
  const add = (node: XmlElement | string): void => {
    (open[open.length - 1]?.children ?? top).push(node);
  };
  let failure: Error | undefined;
  parser.on('error', (error) => (failure ??= error));
  parser.on('opentag', ({ name, attributes }) => {
    const element: XmlElement = { name, attributes: attributes as Record<string, string>, children: [] };
    add(element);
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  parser.on('text', add);
  parser.on('cdata', add);
  parser.write(text.replace(/^\s*<\?xml[^>]*\?>/, '')).close();
  if (failure !== undefined)
    throw new SqlError(9400, `XML parsing: ${failure.message.replace(/^(?:undefined:)?(\d+):(\d+): /, 'line $1, character $2, ')}`);
  return top;
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (c) => escapes[c] as string);

export function formatXml(node: XmlElement | string): string {
  if (typeof node === 'string') return escapeXml(node).replace(/&quot;/g, '"');
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  const inner = node.children.map(formatXml).join('');
  return inner === '' ? `<${node.name}${attributes.join('')}/>` : `<${node.name}${attributes.join('')}>${inner}</${node.name}>`;
}

export function textOf(node: XmlElement | string): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}
