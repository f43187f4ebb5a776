/** Rows as XML (Microsoft documentation, "FOR XML", "Columns without a Name", "Columns with a Name"). */
import { SqlError, type SqlType } from '../tds/handler';
import { convertValue } from './convert';
import { isBinary, isString, type Type, type Value } from './types';
import { unpackVariant } from './variant';

interface NamedColumn {
  readonly name: string;
  readonly type: SqlType;
}

/** A tree to which columns are added one after another. A column that continues the path of the last element goes into it. */
interface Element {
  readonly name: string;
  attributes: string;
  readonly content: (string | Element)[];
  /** The last thing inside was a data() value: a blank separates the next one. */
  listed: boolean;
}

const newElement = (name: string): Element => ({ name, attributes: '', content: [], listed: false });

/** The row's element in PATH mode; only its content if the name is empty. */
export function pathRow(columns: readonly NamedColumn[], element: string): (values: readonly Value[]) => string {
  const checked = columns.map((column) => ({ ...column, steps: stepsOf(column.name) }));
  checkAttributes(checked, element);
  return (values) => {
    const row = newElement(element);
    checked.forEach(({ steps, type }, index) => {
      const value = values[index] ?? null;
      if (value !== null) addColumn(row, steps, value, type);
    });
    return element === '' ? row.content.map(printed).join('') : printed(row);
  };
}

const stepsOf = (name: string): readonly string[] => (name === '' || name === '*' ? ['node()'] : name.split('/'));

/** @throws SqlError 6864, 6852, 6850. */
function checkAttributes(columns: readonly { readonly name: string; readonly steps: readonly string[] }[], element: string): void {
  let before: readonly string[] = [];
  const filled = new Set<string>();
  for (const { name, steps } of columns) {
    const parent = steps.slice(0, -1).join('/');
    const attribute = steps[steps.length - 1]?.startsWith('@') === true;
    if (attribute && parent === '' && element === '')
      throw new SqlError(6864, 'Row tag omission (empty row tag name) cannot be used with attribute-centric FOR XML serialization.');
    if (attribute && filled.has(parent) && (parent === '' || before.slice(0, steps.length - 1).join('/') === parent))
      throw new SqlError(
        6852,
        `Attribute-centric column '${name}' must not come after a non-attribute-centric sibling in XML hierarchy in FOR XML PATH.`,
      );
    if (!attribute) steps.forEach((_, depth) => filled.add(steps.slice(0, depth).join('/')));
    if (steps.some((step) => step === ''))
      throw new SqlError(
        6850,
        `Column name '${name}' contains an invalid XML identifier as required by FOR XML; '/'(0x002F) is the first character at fault.`,
      );
    before = steps;
  }
}

function addColumn(row: Element, steps: readonly string[], value: Exclude<Value, null>, type: SqlType): void {
  const target = steps.slice(0, -1).reduce(childNamed, row);
  const last = steps[steps.length - 1] as string;
  const text = xmlText(value, type);
  const listed = last === 'data()';
  if (last.startsWith('@')) target.attributes += ` ${encodeName(last.slice(1))}="${escapeAttribute(text)}"`;
  else if (last === 'comment()') target.content.push(`<!--${text}-->`);
  else if (last === 'text()' || last === 'node()' || listed)
    target.content.push(`${listed && target.listed ? ' ' : ''}${type.name === 'xml' ? text : escapeText(text)}`);
  else if (last.endsWith(')')) throw new SqlError(50000, `simulator: column name ${last} of FOR XML PATH is not modelled`);
  else target.content.push({ ...newElement(last), content: type.name === 'xml' ? (text === '' ? [] : [text]) : [escapeText(text)] });
  target.listed = listed;
}

/** The open element of that name, or a new one. */
function childNamed(parent: Element, name: string): Element {
  const last = parent.content[parent.content.length - 1];
  if (typeof last === 'object' && last.name === name) return last;
  const made = newElement(name);
  parent.content.push(made);
  return made;
}

function printed(node: string | Element): string {
  if (typeof node === 'string') return node;
  const name = encodeName(node.name);
  const content = node.content.map(printed).join('');
  // An empty text is content, so the element has an end tag.
  return node.content.length === 0 ? `<${name}${node.attributes}/>` : `<${name}${node.attributes}>${content}</${name}>`;
}

/** Dates by style 126, floats by style 2, binary as base64. */
function xmlText(value: Exclude<Value, null>, type: Type): string {
  if (type.name === 'sql_variant') {
    const inner = unpackVariant(value as string);
    return xmlText(inner.value, inner.type);
  }
  if (isBinary(type)) return Buffer.from(value as Uint8Array).toString('base64');
  if (isString(type) || type.name === 'xml') return value as string;
  const style = type.name === 'float' || type.name === 'real' ? 2 : 126;
  return convertValue(value, type as SqlType, { name: 'nvarchar', length: 'max' }, style) as string;
}

const entity = (c: string): string => `&#x${c.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')};`;
const named: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** Writes a text of blanks as entities: otherwise a reader would drop them. */
function escapeText(text: string): string {
  if (text !== '' && /^[ \t\n]+$/.test(text)) return Array.from(text, entity).join('');
  return Array.from(text, (c) => (c === '"' ? c : (named[c] ?? (c < ' ' && c !== '\n' && c !== '\t' ? entity(c) : c)))).join('');
}

const escapeAttribute = (text: string): string => Array.from(text, (c) => named[c] ?? (c < ' ' ? entity(c) : c)).join('');

/** Writes characters that a name must not have as `_x0020_`. */
function encodeName(name: string): string {
  return Array.from(name, (c, at) =>
    /[\p{L}_]/u.test(c) || (at > 0 && /[\p{N}.-]/u.test(c)) ? c : `_x${c.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`,
  ).join('');
}
