import { posix } from 'node:path';
import { isBuiltin } from 'node:module';
import ts from 'typescript';
import { parts, type Part } from './import-table';
import { listFound, parse, placeOf, type SourceFile } from './source-files';

/** One import as written. */
interface ImportFound {
  readonly specifier: string;
  /** What is imported, as its file calls it; `*` is everything. */
  readonly names: readonly string[];
  readonly typesOnly: boolean;
  readonly place: string;
}

/** Everything in the files that the import table does not allow, each as `path:line` and one sentence. */
export function listForbiddenImports(files: readonly SourceFile[]): string[] {
  return files.flatMap((file) => {
    const part = findPart(file.path);
    if (!part) return [`${file.path}:1 belongs to no part of the import table`];
    return listImports(file).flatMap((found) => judgeImport(file, part, found));
  });
}

/** Folders that need each other, straight or round other folders, each as `a -> b -> a`. */
export function listRoomCircles(files: readonly SourceFile[]): string[] {
  return listCircles(files, posix.dirname);
}

/** The same of files, without their `.ts`. */
export function listFileCircles(files: readonly SourceFile[]): string[] {
  return listCircles(files, (path) => path.replace(/(\/index)?\.ts$/, ''));
}

function listCircles(files: readonly SourceFile[], placeOf: (path: string) => string): string[] {
  const needs = new Map<string, Set<string>>();
  for (const file of files) {
    const place = placeOf(file.path);
    const needed = listImports(file).flatMap(({ specifier }) =>
      specifier.startsWith('.') ? [placeOf(posix.join(posix.dirname(file.path), specifier))] : [],
    );
    needs.set(place, new Set([...(needs.get(place) ?? []), ...needed.filter((other) => other !== place)]));
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
  const nameExport = (path: string, name: string): string => `${path.replace(/\.ts$/, '')}: ${name}`;
  const used = new Set(
    importers.flatMap((file) =>
      listImports(file).flatMap(({ specifier, names }) => {
        const path = posix.join(posix.dirname(file.path), specifier);
        return names.map((name) => nameExport(path, name));
      }),
    ),
  );
  return files
    .filter(({ path }) => !used.has(nameExport(path, '*')))
    .flatMap((file) => listExports(file).map((name) => nameExport(file.path, name)))
    .filter((each) => !used.has(each));
}

function judgeImport(file: SourceFile, part: Part, found: ImportFound): string[] {
  const target = nameTarget(file, found.specifier);
  if (target === part.name) return [];
  const permission = part.mayImport.find(({ name }) => name === target || (name === 'node:*' && target.startsWith('node:')));
  const { place, specifier, typesOnly } = found;
  if (!permission) return [`${place} ${part.name} may not import ${target} (${specifier})`];
  const isOpen = permission.codeOf?.test(posix.join(posix.dirname(file.path), specifier)) === true;
  if (permission.typesOnly && !typesOnly && !isOpen) return [`${place} ${part.name} may import only types from ${target} (${specifier})`];
  return [];
}

function findPart(path: string): Part | undefined {
  return parts.find(({ files }) => files.test(path));
}

/* A relative import is named by the part that it ends in, a package by its name, a built-in module always with `node:`. */
function nameTarget(file: SourceFile, specifier: string): string {
  if (specifier.startsWith('.')) {
    const path = posix.normalize(posix.join(posix.dirname(file.path), specifier));
    return (findPart(path) ?? findPart(`${path}.ts`))?.name ?? `${path}, which belongs to no part`;
  }
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** Several rules ask for the imports of the same thousand files. */
const known = new WeakMap<SourceFile, readonly ImportFound[]>();

/* All imports of a file: static, dynamic, require, re-exports and `import('x')` in types. */
function listImports(file: SourceFile): readonly ImportFound[] {
  const found = known.get(file) ?? findImports(file);
  known.set(file, found);
  return found;
}

function findImports(file: SourceFile): readonly ImportFound[] {
  return listFound(file, (node) => {
    if (ts.isImportDeclaration(node)) return describeImport(node, node.moduleSpecifier, ...readClause(node.importClause));
    if (ts.isExportDeclaration(node) && node.moduleSpecifier)
      return describeImport(node, node.moduleSpecifier, ...readBindings(node.exportClause, node.isTypeOnly));
    if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference))
      return describeImport(node, node.moduleReference.expression, ['*'], node.isTypeOnly);
    if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument))
      return describeImport(node, node.argument.literal, [/^\w+/.exec(node.qualifier?.getText() ?? '')?.[0] ?? '*'], true);
    return ts.isCallExpression(node) && isLoading(node) ? describeImport(node, node.arguments[0], ['*'], false) : null;
  });
}

function describeImport(node: ts.Node, from: ts.Node | undefined, names: readonly string[], typesOnly: boolean): ImportFound {
  return { specifier: from && ts.isStringLiteralLike(from) ? from.text : '(computed)', names, typesOnly, place: placeOf(node) };
}

/* `requireInstalled` is of tools/packages.js. */
function isLoading({ expression }: ts.CallExpression): boolean {
  return expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && /^require(Installed)?$/.test(expression.text));
}

/* The names, and whether all of them are types. */
type Names = readonly [names: readonly string[], typesOnly: boolean];

function readClause(clause: ts.ImportClause | undefined): Names {
  if (!clause) return [[], false];
  const [names, typesOnly] = clause.namedBindings ? readBindings(clause.namedBindings, clause.isTypeOnly) : [[], clause.isTypeOnly];
  return clause.name ? [[...names, 'default'], clause.isTypeOnly] : [names, typesOnly];
}

function readBindings(bindings: ts.NamedImportBindings | ts.NamedExportBindings | undefined, typesOnly: boolean): Names {
  if (!bindings || ts.isNamespaceImport(bindings) || ts.isNamespaceExport(bindings)) return [['*'], typesOnly];
  const elements: readonly ts.ImportOrExportSpecifier[] = [...bindings.elements];
  return [elements.map(({ propertyName, name }) => (propertyName ?? name).text), typesOnly || elements.every((each) => each.isTypeOnly)];
}

function listExports(file: SourceFile): string[] {
  return parse(file).statements.flatMap((statement) => {
    if (ts.isExportDeclaration(statement))
      return statement.exportClause && ts.isNamedExports(statement.exportClause)
        ? statement.exportClause.elements.map(({ name }) => name.text)
        : [statement.getText()];
    const [, name] =
      /^export (?:(?:async|abstract|declare|const|let|function\*?|class|interface|type|enum) )*(\w+)/.exec(statement.getText()) ?? [];
    return name === undefined ? [] : [name];
  });
}
