/** The one scanner of the rules: files of the project, and what stands where in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../tools/packages';

/** One file of the project: its path from the root, with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const LEFT_OUT: ReadonlySet<string> = new Set(['node_modules', 'dist', 'artifacts', 'out']);

/** Every file below a folder of the project whose name ends so; folders that begin with a dot hold none of ours. */
export function readSourceFiles(folder: string, ending = '.ts'): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory())
      return LEFT_OUT.has(entry.name) || entry.name.startsWith('.') ? [] : readSourceFiles(path, ending);
    return entry.isFile() && entry.name.endsWith(ending)
      ? [{ path, text: readFileSync(join(root, path), 'utf8') }]
      : [];
  });
}

const parsed = new WeakMap<SourceFile, ts.SourceFile>();

export function parse(file: SourceFile): ts.SourceFile {
  const source = parsed.get(file) ?? ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2021, true);
  parsed.set(file, source);
  return source;
}

/** What `find` gives of the nodes of a file. */
export function listFound<T>(file: SourceFile, find: (node: ts.Node) => T | null): T[] {
  const found: T[] = [];
  const visit = (node: ts.Node): void => {
    const one = find(node);
    if (one !== null) found.push(one);
    ts.forEachChild(node, visit);
  };
  visit(parse(file));
  return found;
}

/** `path:line` */
export function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  return `${source.fileName}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`;
}

/** Whether a function or a method of that name is called. */
export function isCallOf(node: ts.Node, name: RegExp): node is ts.CallExpression {
  if (!ts.isCallExpression(node)) return false;
  const { expression } = node;
  return name.test(ts.isPropertyAccessExpression(expression) ? expression.name.text : expression.getText());
}

/** The text of a literal, with {} where a template has a value; null for anything else. */
export function readText(node: ts.Node): string | null {
  if (ts.isStringLiteralLike(node)) return node.text;
  return ts.isTemplateExpression(node)
    ? node.head.text + node.templateSpans.map(({ literal }) => `{}${literal.text}`).join('')
    : null;
}

/**
 * A text of the screen as the code gives it to `t`, with the key that a bundle has for it; both are empty where it is
 * no literal.
 */
export interface ScreenText {
  readonly key: string;
  /** In English, with {0}, {1} where values go. */
  readonly message: string;
  /** `path:line`. */
  readonly place: string;
}

/** Every `t('...')` and `t({ message: '...', comment: ['...'] })`. */
export function listScreenTexts(file: SourceFile): ScreenText[] {
  return listFound(file, (node) => {
    if (!isCallOf(node, /^t$/)) return null;
    const [first] = node.arguments;
    const read = (name: string): string => {
      const [own] =
        first && ts.isObjectLiteralExpression(first)
          ? first.properties.filter((one) => one.name?.getText() === name)
          : [];
      if (own === undefined || !ts.isPropertyAssignment(own)) return '';
      const parts = ts.isArrayLiteralExpression(own.initializer)
        ? [...own.initializer.elements]
        : [own.initializer];
      return parts.map((part) => (ts.isStringLiteralLike(part) ? part.text : '')).join('');
    };
    const message = first !== undefined && ts.isStringLiteralLike(first) ? first.text : read('message');
    return {
      key: [message, read('comment')].filter((part) => part !== '').join('/'),
      message,
      place: placeOf(node),
    };
  });
}
