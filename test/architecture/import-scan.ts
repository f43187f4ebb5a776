/** Who imports what: the import table, circles, and exports that nobody takes. */
import { readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { isBuiltin } from 'node:module';
import ts from 'typescript';
import { root } from '../../tools/packages';
import { listFound, parse, placeOf, type SourceFile } from './source-files';

/** A row of the import table of src/README.md. */
interface Part {
  readonly name: string;
  /** The files that belong to it. */
  readonly files: RegExp;
  /** Parts, files, packages and modules of Node; `types of` one carries no code across. */
  readonly mayImport: readonly RegExp[];
}

const escape = (name: string): string => name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replace('\\*', '.*');

/** The table, the narrowest part first: that one owns a file. What may import anything is not in it. */
const PARTS: readonly Part[] = readFileSync(join(root, 'src/README.md'), 'utf8')
  .split(/^\| part \| may import \|.*\n.*\n/m)[1]!
  .split('\n\n')[0]!
  .split('\n')
  .filter((row) => !row.includes('| anything |'))
  .map((row): Part => {
    const [names = [], imports = []] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim().split(', '));
    const mayImport = imports.map(
      (one) => new RegExp(`^${escape(one.replace(/(.+) \(types\)/, 'types of $1'))}$`),
    );
    return { name: names[0]!, files: new RegExp(`^(src/)?(${names.map(escape).join('|')})[/.]`), mayImport };
  })
  .sort((a, b) => b.name.length - a.name.length);

/** One import as written. */
interface Import {
  readonly specifier: string;
  /** The path that a relative one means; else the specifier. */
  readonly target: string;
  /** What is imported, as its file calls it; `*` is everything. */
  readonly names: readonly string[];
  readonly typesOnly: boolean;
  readonly place: string;
}

/** Everything in the files that the import table does not allow, each as `path:line` and one sentence. */
export function listForbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const part = findPart(file.path);
    if (part === undefined) return [`${file.path}:1 belongs to no part of the import table`];
    return listImports(file).flatMap(({ specifier, target, typesOnly, place }) => {
      const name = nameTarget(specifier, target);
      const isAllowed = (one: string): boolean => part.mayImport.some((may) => may.test(one));
      const types = `types of ${name}`;
      if (
        name === part.name ||
        isAllowed(name) ||
        isAllowed(target.replace(/^src\//, '')) ||
        (typesOnly && isAllowed(types))
      )
        return [];
      return [
        `${place} ${part.name} may ${isAllowed(types) ? 'import only types from' : 'not import'} ${name} (${specifier})`,
      ];
    });
  });
}

const findPart = (path: string): Part | undefined => PARTS.find(({ files }) => files.test(path));

/**
 * A relative import is named by the part that it ends in, a package by its name, a built-in module always with `node:`.
 */
function nameTarget(specifier: string, target: string): string {
  if (specifier.startsWith('.'))
    return findPart(`${target}.ts`)?.name ?? `${target}, which belongs to no part`;
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`;
  return /^(@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier;
}

/**
 * Places that need each other, straight or round others, each as `a -> b -> a`.
 * @param placeOf where a path is: its folder, or the file itself
 */
export function listCircles(files: readonly SourceFile[], placeOf: (path: string) => string): string[] {
  const needs = new Map<string, Set<string>>();
  for (const file of files) {
    const place = placeOf(file.path);
    const needed = listImports(file).filter(({ specifier }) => specifier.startsWith('.'));
    const others = needed.map(({ target }) => placeOf(`${target}.ts`)).filter((other) => other !== place);
    needs.set(place, new Set([...(needs.get(place) ?? []), ...others]));
  }
  const circles: string[] = [];
  const walk = (place: string, way: readonly string[]): void => {
    const begin = way.indexOf(place);
    if (begin >= 0) circles.push([...way.slice(begin), place].join(' -> '));
    else for (const other of needs.get(place) ?? []) walk(other, [...way, place]);
    if (begin < 0) needs.delete(place);
  };
  for (const place of [...needs.keys()]) walk(place, []);
  return circles;
}

/** What the files export and none of the importers imports, each as `path: name`. */
export function listUnusedExports(files: readonly SourceFile[], importers: readonly SourceFile[]): string[] {
  const used = new Set(
    importers.flatMap((file) =>
      listImports(file).flatMap(({ target, names }) => names.map((name) => `${target}: ${name}`)),
    ),
  );
  return files.flatMap((file) => {
    const path = file.path.replace(/\.ts$/, '');
    const unused = listExports(file).map((name) => `${path}: ${name}`);
    return used.has(`${path}: *`) ? [] : unused.filter((one) => !used.has(one));
  });
}

function listExports(file: SourceFile): string[] {
  return parse(file).statements.flatMap((statement) => {
    const text = statement.getText();
    if (ts.isExportDeclaration(statement))
      return readBraces(text)?.map((one) => one.split(' ').at(-1) ?? '') ?? [text];
    return (
      /^export (?:(?:async|abstract|declare|const|let|function\*?|class|interface|type|enum) )*(\w+)/
        .exec(text)
        ?.slice(1) ?? []
    );
  });
}

/** `{ a, type B as C }` as `a` and `type B as C`; undefined where there are no braces. */
const readBraces = (text: string): readonly string[] | undefined =>
  /\{([^}]*)\}/
    .exec(text)?.[1]
    ?.split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '');

/** Several rules ask for the imports of the same thousand files. */
const known = new WeakMap<SourceFile, readonly Import[]>();

/** All imports of a file: static, dynamic, require, re-exports and `import('x')` in types. */
function listImports(file: SourceFile): readonly Import[] {
  const found = known.get(file) ?? listFound(file, (node) => readImport(file.path, node));
  known.set(file, found);
  return found;
}

function readImport(path: string, node: ts.Node): Import | null {
  const from = findSpecifier(node);
  if (from === undefined) return null;
  const specifier = ts.isStringLiteralLike(from) ? from.text : '(computed)';
  const target = specifier.startsWith('.')
    ? posix.join(posix.dirname(path), specifier).replace(/\.ts$/, '')
    : specifier;
  return { specifier, target, ...readNames(node), place: placeOf(node) };
}

function findSpecifier(node: ts.Node): ts.Node | undefined {
  if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) return node.moduleSpecifier;
  if (ts.isExternalModuleReference(node)) return node.expression;
  if (ts.isImportTypeNode(node)) return ts.isLiteralTypeNode(node.argument) ? node.argument.literal : node;
  // `requireInstalled` is of tools/packages.js.
  const isLoading =
    ts.isCallExpression(node) && /^(import|require(Installed)?)$/.test(node.expression.getText());
  return isLoading ? (node.arguments[0] ?? node) : undefined;
}

function readNames(node: ts.Node): Pick<Import, 'names' | 'typesOnly'> {
  if (ts.isImportTypeNode(node))
    return { names: [/^\w+/.exec(node.qualifier?.getText() ?? '')?.[0] ?? '*'], typesOnly: true };
  if (!ts.isImportDeclaration(node) && !ts.isExportDeclaration(node))
    return { names: ['*'], typesOnly: false };
  const text = node.getText();
  const braces = readBraces(text);
  const hasDefault = /^import (type )?(?!type [{*])\w/.test(text);
  const isType = /^(import|export) type\b(?! from )/.test(text);
  const names = (braces ?? []).map((one) => one.replace(/^type /, '').split(' ')[0] ?? '');
  if (/^\w+ (type )?(\w+, )?\*/.test(text)) names.push('*');
  if (hasDefault) names.push('default');
  return {
    names,
    typesOnly:
      isType || (!hasDefault && braces !== undefined && braces.every((one) => one.startsWith('type '))),
  };
}
