/** Methods of the xml type: value(), exist(), query() and nodes() over the paths of xpath.ts. */
import type { SqlType } from '../tds/handler';
import { bindExpression } from './bind-expression';
import { addDerived } from './bind-source';
import type { Binding } from './binding';
import type { Bound } from './bound';
import { callFunction } from './coerce';
import { convertValue } from './convert';
import { notModelled } from './errors';
import { parseTypeName } from './parse-type';
import type { Scope } from './scope';
import type { Expression, Source } from './syntax';
import { TokenReader } from './token-reader';
import { nvarcharMax, resolveType, varchar, type Value } from './types';
import { formatXml, parseXml } from './xml-tree';
import { isSingleton, nodeText, parsePath, selectNodes, type XmlNode } from './xpath';
import { sqlError } from '../tds/messages';

const xml: SqlType = { name: 'xml' };

/** Marks an element as a row of nodes(): paths start at the element, not above it. */
const elementMark = '\u0001';

/** The last trees, because many methods of one row read the same text. */
const recent = new Map<string, XmlNode>();

function contextOf(text: string): XmlNode {
  const known = recent.get(text);
  if (known !== undefined) return known;
  const top = parseXml(text.startsWith(elementMark) ? text.slice(1) : text);
  const [first] = top;
  const node: XmlNode =
    text.startsWith(elementMark) && first !== undefined && typeof first !== 'string'
      ? { kind: 'element', element: first }
      : { kind: 'root', children: top };
  if (recent.size >= 64) recent.clear();
  recent.set(text, node);
  return node;
}

type Method = Extract<Expression, { readonly kind: 'method' }>;

function target(expression: Expression, method: string, binding: Binding, line: number): Bound {
  const bound = bindExpression(expression, binding);
  if (bound.type.name !== 'xml') throw sqlError(258, [bound.type.name], line);
  if (method === 'modify') throw notModelled('xml method modify()', line);
  return bound;
}

/** Paths and types are string literals. @throws SqlError 8172. */
function literalText(expression: Expression | undefined, method: string, line: number): string {
  if (expression?.kind === 'literal' && (expression.type === 'string' || expression.type === 'nstring'))
    return expression.text;
  throw sqlError(8172, [method], line);
}

export function bindXmlMethod(expression: Method, binding: Binding): Bound {
  const method = expression.name.toLowerCase();
  const { args, line } = expression;
  const operand = target(expression.target, method, binding, line);
  const source = literalText(args[0], method, line);
  const path = parsePath(source);
  const key = `xml ${method} ${source}`;
  const nodes = (value: Value | undefined): readonly XmlNode[] =>
    value === null || value === undefined ? [] : selectNodes(path, contextOf(value as string));
  if (method === 'exist')
    return callFunction(binding.duck, key, [operand], { name: 'bit' }, (value = null) =>
      value === null ? null : nodes(value).length > 0 ? 1 : 0,
    );
  if (method !== 'value' || args.length !== 2) throw notModelled(`xml method ${method}()`, line);
  if (!isSingleton(path)) throw sqlError(2389, [], line);
  const type = resolveType(parseTypeName(new TokenReader(literalText(args[1], method, line))));
  return callFunction(binding.duck, key, [operand], type, (value) => {
    const [first] = nodes(value);
    return first === undefined ? null : convertValue(nodeText(first), nvarcharMax, type);
  });
}

function formatNode(node: XmlNode): string {
  if (node.kind === 'text') return formatXml(node.text);
  return node.kind === 'element' ? formatXml(node.element) : node.children.map(formatXml).join('');
}

const separator = '\u0002';

/** `x.nodes('path') AS t(c)`: a row for each node that the path finds. */
export function bindNodes(
  source: Extract<Source, { readonly kind: 'nodes' }>,
  scope: Scope,
  binding: Binding,
): string {
  const operand = target(source.target, 'nodes', binding, source.line);
  const text = literalText(source.path, 'nodes', source.line);
  const path = parsePath(text);
  const evaluate = (value: Value | undefined): Value => {
    if (value === null || value === undefined) return null;
    const found = selectNodes(path, contextOf(value as string)).map(
      (node) => `${elementMark}${formatNode(node)}`,
    );
    return found.length === 0 ? null : found.join(separator);
  };
  const list = callFunction(binding.duck, `xml nodes ${text}`, [operand], varchar('max'), evaluate);
  const sql = `SELECT unnest(string_split(${list.sql}, chr(2))) AS c1`;
  const name = source.columns[0] ?? '';
  return addDerived(sql, [{ name, type: xml, nullable: false }], [source.alias], scope, binding, source.line);
}
