/** XML text -> a tree of elements, and back. */
import { SaxesParser } from 'saxes';
import type { SqlError } from '../tds/handler';
import { sqlError } from '../tds/messages';

export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: (XmlElement | string)[];
}

/** The top elements: a document has one, a fragment may have several. @throws SqlError 9400 if the text is not XML. */
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
  if (failure !== undefined) throw notXml(failure);
  return top;
}

const notXml = (failure: Error): SqlError =>
  sqlError(9400, [failure.message.replace(/^(?:undefined:)?(\d+):(\d+): /, 'line $1, character $2, ')]);

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeXml = (text: string): string => text.replace(/[&<>"]/g, (c) => escapes[c] as string);

export function formatXml(node: XmlElement | string): string {
  if (typeof node === 'string') return escapeXml(node).replace(/&quot;/g, '"');
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escapeXml(value)}"`);
  const inner = node.children.map(formatXml).join('');
  return inner === ''
    ? `<${node.name}${attributes.join('')}/>`
    : `<${node.name}${attributes.join('')}>${inner}</${node.name}>`;
}

const blanks = /&#(?:x0*(?:20|9|A|D)|0*(?:32|9|10|13));/gi;
/** Stand-ins, while the text is parsed, for blanks written as entities. */
const kept = (reference: string): string => {
  const digits = reference.slice(2, -1);
  return String.fromCharCode(0xe000 + (/^x/i.test(digits) ? parseInt(digits.slice(1), 16) : Number(digits)));
};
const entities = (text: string): string =>
  text.replace(
    /[\uE009\uE00A\uE00D\uE020]/g,
    (c) => `&#x${(c.charCodeAt(0) - 0xe000).toString(16).toUpperCase().padStart(2, '0')};`,
  );
const plain = (text: string): string =>
  text
    .replace(/[\uE009\uE00A\uE020]/g, (c) => String.fromCharCode(c.charCodeAt(0) - 0xe000))
    .replace(/\uE00D/g, '&#x0D;');

/**
 * The text of an xml value: without declaration and, unless `keepBlanks`, without blanks alone between tags; attributes
 * in double quotation marks, `<a/>` for an empty element (Microsoft Learn, "Create Instances of XML Data", "CAST and
 * CONVERT", xml styles).
 * @throws SqlError 9400 if the text is not XML.
 */
export function canonicalXml(text: string, keepBlanks = false): string {
  const parser = new SaxesParser({ fragment: true });
  let failure: Error | undefined;
  let written = '';
  let open = false;
  const add = (more: string): void => {
    written += open ? `>${more}` : more;
    open = false;
  };
  parser.on('error', (error) => (failure ??= error));
  parser.on('opentag', ({ name, attributes }) => {
    add(
      `<${name}${Object.entries(attributes as Record<string, string>)
        .map(([key, value]) => ` ${key}="${entities(escapeXml(value))}"`)
        .join('')}`,
    );
    open = true;
  });
  parser.on('closetag', ({ name }) => {
    written += open ? '/>' : `</${name}>`;
    open = false;
  });
  parser.on('text', (each) => {
    if (keepBlanks || /[^ \t\r\n]/.test(each))
      add(/[^ \t\r\n\uE009\uE00A\uE00D\uE020]/.test(each) ? plain(formatXml(each)) : entities(each));
  });
  parser.on('cdata', (each) => add(formatXml(entities(each))));
  parser.on('comment', (each) => add(`<!--${entities(each)}-->`));
  parser.on('processinginstruction', ({ target, body }) => add(`<?${target} ${body}?>`));
  parser.write(text.replace(/^\s*<\?xml\s[^>]*\?>/, '').replace(blanks, kept)).close();
  if (failure !== undefined) throw notXml(failure);
  return written;
}

export function textOf(node: XmlElement | string): string {
  return typeof node === 'string' ? node : node.children.map(textOf).join('');
}
