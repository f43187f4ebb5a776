import { posix } from 'node:path';
import { isBuiltin } from 'node:module';
import ts from 'typescript';
import { parts, type Part } from './import-table';

/** One file of the project: its path from the root, with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/** One import as written. */
export interface ImportFound {
  readonly specifier: string;
  readonly typesOnly: boolean;
  readonly line: number;
}

/** Everything in the files that the import table does not allow, each as `path:line` and one sentence. */
export function listForbiddenImports(files: readonly SourceFile[], table: readonly Part[] = parts): string[] {
  return files.flatMap((file) => {
    const part = findPart(file.path, table);
    if (!part) return [`${file.path}:1 belongs to no part of the import table`];
    return listImports(file).flatMap((found) => judgeImport(file, part, found, table));
  });
}

/** Folders that need each other, straight or round other folders, each as `a -> b -> a`. */
export function listRoomCircles(files: readonly SourceFile[]): string[] {
  const needs = new Map<string, Set<string>>();
  for (const file of files) {
    const room = posix.dirname(file.path);
    const needed = listImports(file).flatMap(({ specifier }) =>
      specifier.startsWith('.') ? [posix.dirname(posix.join(room, specifier))] : [],
    );
    needs.set(room, new Set([...(needs.get(room) ?? []), ...needed.filter((other) => other !== room)]));
  }
  const circles: string[] = [];
  const walk = (room: string, way: readonly string[]): void => {
    const begin = way.indexOf(room);
    if (begin >= 0) circles.push([...way.slice(begin), room].join(' -> '));
    else for (const other of needs.get(room) ?? []) walk(other, [...way, room]);
    if (begin < 0) needs.delete(room);
  };
  for (const room of [...needs.keys()]) walk(room, []);
  return circles;
}

function judgeImport(file: SourceFile, part: Part, found: ImportFound, table: readonly Part[]): string[] {
  const target = nameTarget(file, found.specifier, table);
  if (target === part.name) return [];
  const permission = part.mayImport.find(({ name }) => name === target || (name === 'node:*' && target.startsWith('node:')));
  const where = `${file.path}:${found.line}`;
  if (!permission) return [`${where} ${part.name} may not import ${target} (${found.specifier})`];
  if (permission.typesOnly && !found.typesOnly) return [`${where} ${part.name} may import only types from ${target} (${found.specifier})`];
  return [];
}

function findPart(path: string, table: readonly Part[]): Part | undefined {
  return table.find(({ files }) => files.test(path));
}

/* A relative import is named by the part that it ends in, a package by its name, a built-in module always with `node:`. */
function nameTarget(file: SourceFile, specifier: string, table: readonly Part[]): string {
  if (specifier.startsWith('.')) {
    const path = posix.normalize(posix.join(posix.dirname(file.path), specifier));
    return (findPart(path, table) ?? findPart(`${path}.ts`, table))?.name ?? `${path}, which belongs to no part`;
  }
  if (isBuiltin(specifier)) return specifier.startsWith('node:') ? specifier : `node:${specifier}`;
  return specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');
}

/** All imports of a file: static, dynamic, require, re-exports and `import('x')` in types. */
export function listImports(file: SourceFile): ImportFound[] {
  const found: ImportFound[] = [];
  const source = ts.createSourceFile(file.path, file.text, ts.ScriptTarget.ES2021, true);
  const visit = (node: ts.Node): void => {
    const one = readImport(node);
    if (one) found.push({ ...one, line: source.getLineAndCharacterOfPosition(node.getStart()).line + 1 });
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function readImport(node: ts.Node): Omit<ImportFound, 'line'> | undefined {
  if (ts.isImportDeclaration(node)) return readSpecifier(node.moduleSpecifier, isTypeImport(node.importClause));
  if (ts.isExportDeclaration(node) && node.moduleSpecifier) return readSpecifier(node.moduleSpecifier, isTypeExport(node));
  if (ts.isImportEqualsDeclaration(node) && ts.isExternalModuleReference(node.moduleReference)) {
    return readSpecifier(node.moduleReference.expression, node.isTypeOnly);
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) return readSpecifier(node.argument.literal, true);
  if (ts.isCallExpression(node) && isLoading(node)) return readSpecifier(node.arguments[0], false);
  return undefined;
}

function isLoading({ expression }: ts.CallExpression): boolean {
  return expression.kind === ts.SyntaxKind.ImportKeyword || (ts.isIdentifier(expression) && expression.text === 'require');
}

function readSpecifier(node: ts.Node | undefined, typesOnly: boolean): Omit<ImportFound, 'line'> {
  return { specifier: node && ts.isStringLiteralLike(node) ? node.text : '(computed)', typesOnly };
}

function isTypeImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return false;
  if (clause.isTypeOnly) return true;
  const { name, namedBindings } = clause;
  return (
    !name && namedBindings !== undefined && ts.isNamedImports(namedBindings) && namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly)
  );
}

function isTypeExport({ isTypeOnly, exportClause }: ts.ExportDeclaration): boolean {
  return (
    isTypeOnly ||
    (exportClause !== undefined && ts.isNamedExports(exportClause) && exportClause.elements.every((element) => element.isTypeOnly))
  );
}
