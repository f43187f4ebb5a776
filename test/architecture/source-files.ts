import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../tools/packages';
import type { SourceFile } from './import-scan';

/** Every TypeScript file below a folder of the project. */
export function readSourceFiles(folder: string): SourceFile[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = `${folder}/${name}`;
    if (statSync(join(root, path)).isDirectory()) return readSourceFiles(path);
    return name.endsWith('.ts') ? [{ path, text: readFileSync(join(root, path), 'utf8') }] : [];
  });
}
