import ts from 'typescript';
import { listFound, placeOf, type SourceFile } from './source-files';

/** Names that Node or a browser gives to everyone. Core takes what it needs as values instead. */
const worldlyNames = new Set(
  [
    'process',
    'console',
    'Buffer',
    'global',
    'globalThis',
    'require',
    'module',
    '__dirname',
    '__filename',
    'performance',
    'crypto',
    'fetch',
  ].concat(
    ['setTimeout', 'setInterval', 'setImmediate', 'clearTimeout', 'clearInterval', 'queueMicrotask', 'requestAnimationFrame'],
    ['window', 'document', 'navigator', 'location', 'localStorage', 'self', 'postMessage', 'Worker', 'HTMLElement', 'WeakRef'],
  ),
);
const worldlyMembers = new Set(['Date.now', 'Math.random']);

/** Every use of the clock, of chance, or of a global of Node or a browser, each as `path:line` and the name. */
export function listWorldlyNames(file: SourceFile): string[] {
  const declared = listDeclaredNames(file);
  return listFound(file, (node) => {
    const name = nameWorldly(node, declared);
    return name === null ? null : `${placeOf(node)} ${name}`;
  });
}

function nameWorldly(node: ts.Node, declared: ReadonlySet<string>): string | null {
  if (ts.isPropertyAccessExpression(node) && worldlyMembers.has(node.getText())) return node.getText();
  if (ts.isNewExpression(node) && node.expression.getText() === 'Date' && !node.arguments?.length) return 'new Date()';
  if (ts.isCallExpression(node) && node.expression.getText() === 'Date') return 'Date()';
  if (ts.isIdentifier(node) && worldlyNames.has(node.text) && !declared.has(node.text) && isUse(node)) return node.text;
  return null;
}

/* `row.location` and `{ location: 1 }` only look like the global. */
function isUse(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isQualifiedName(parent))
    return (ts.isPropertyAccessExpression(parent) ? parent.expression : parent.left) === node;
  if (ts.isPropertyAssignment(parent) || ts.isPropertySignature(parent) || ts.isPropertyDeclaration(parent)) return parent.name !== node;
  return !ts.isMethodDeclaration(parent) && !ts.isMethodSignature(parent) && !ts.isLiteralTypeNode(parent);
}

function listDeclaredNames(file: SourceFile): ReadonlySet<string> {
  return new Set(
    listFound(file, (node) => {
      const isDeclaration =
        ts.isVariableDeclaration(node) ||
        ts.isParameter(node) ||
        ts.isBindingElement(node) ||
        ts.isFunctionDeclaration(node) ||
        ts.isImportSpecifier(node);
      return isDeclaration && node.name && ts.isIdentifier(node.name) ? node.name.text : null;
    }),
  );
}
