/** Methods of the xml type. */
import type { Binding } from './binding';
import type { Bound } from './bound';
import { notModelled } from './errors';
import type { Scope } from './scope';
import type { Expression, Source } from './syntax';

export function bindXmlMethod(expression: Extract<Expression, { readonly kind: 'method' }>, _binding: Binding): Bound {
  throw notModelled(`xml method ${expression.name}()`, expression.line);
}

export function bindNodes(source: Extract<Source, { readonly kind: 'nodes' }>, _scope: Scope, _binding: Binding): string {
  throw notModelled('xml method nodes()', source.line);
}
