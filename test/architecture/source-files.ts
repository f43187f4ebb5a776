import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from '../../tools/packages';

/** One file of the project: its path from the root, with `/`, and its text. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

const leftOut: ReadonlySet<string> = new Set(['node_modules', 'dist', 'artifacts', 'out']);

/** Every file below a folder of the project whose name ends so; folders that begin with a dot hold none of ours. */
export function readSourceFiles(folder: string, ending = '.ts'): SourceFile[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return leftOut.has(entry.name) || entry.name.startsWith('.') ? [] : readSourceFiles(path, ending);
    return entry.isFile() && entry.name.endsWith(ending) ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : [];
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
