/** XML as a tree, and what an XML library says against it. */
import { SaxesParser } from 'saxes';

export interface Element {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: Element[];
  text: string;
}

/** No errors: it is well-formed. */
export function parseXml(xml: string): { readonly root: Element | null; readonly errors: readonly string[] } {
  const errors: string[] = [];
  const open: Element[] = [];
  let root: Element | null = null;
  const parser = new SaxesParser({ fragment: false, xmlns: false });
  parser.on('error', (error) => errors.push(error.message));
  parser.on('opentag', (tag) => {
    const element: Element = {
      name: tag.name,
      attributes: tag.attributes as Record<string, string>,
      children: [],
      text: '',
    };
    open[open.length - 1]?.children.push(element);
    root ??= element;
    open.push(element);
  });
  parser.on('closetag', () => void open.pop());
  const addText = (text: string): void => {
    const element = open[open.length - 1];
    if (element) element.text += text;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.write(xml).close();
  return { root, errors };
}
