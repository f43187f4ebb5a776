import { buildSync } from 'esbuild';
import { join } from 'node:path';
import { root } from '../../tools/packages';

const leftOut = join(root, 'src/hosts/direct/azure-left-out.ts');

/**
 * The packages that code from these files needs, sorted, as esbuild finds them: it knows nothing of webpack, which
 * ships them.
 */
export function listPackages(platform: 'node' | 'browser', ...entries: readonly string[]): readonly string[] {
  const { outputs } = buildSync({
    entryPoints: [...entries],
    absWorkingDir: root,
    platform,
    mainFields: ['module', 'main'],
    outdir: 'out',
    logLevel: 'error',
    bundle: true,
    write: false,
    metafile: true,
    external: ['vscode', 'azdata', 'koffi'],
    loader: { '.sql': 'text', '.md': 'text' },
    alias: { '@azure/identity': leftOut, '@azure/keyvault-keys': leftOut },
  }).metafile;
  const files = Object.values(outputs).flatMap(({ inputs }) => Object.entries(inputs));
  const names = files.flatMap(([file, { bytesInOutput }]) =>
    bytesInOutput === 0 ? [] : (/.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? []),
  );
  return [...new Set(names)].sort();
}

/** Each notice of a file of third-party notices: the package and its version, its licence, and the text of that. */
export function listNotices(file: string): readonly string[] {
  return file
    .split(/\n-{80}\n/)
    .slice(1)
    .map((notice) => notice.trim());
}

export const nameOf = (notice: string): string => notice.split(' ')[0] ?? '';
