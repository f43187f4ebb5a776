/** The stand-ins for other products' extensions, each as a VSIX. */
import { copyFileSync, mkdirSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageVsix } from '../../tools/build/vsix';
import { root } from '../../tools/packages';

/** @returns the file to install, made once for all tests of a run */
export const packageMssqlStandIn = once(() =>
  buildStandIn('mssql', ['README.md', 'server.svg', 'package.json']),
);
export const packageAzdataStandIn = once(() =>
  buildStandIn('azdata', ['README.md', 'servers.svg'], writeManifest),
);

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => (made ??= make());
}

/**
 * Bundles a stand-in with its driver and packages it.
 * @param files copied as they are;
 * @param manifest made of the folder's own, where that is not copied
 */
async function buildStandIn(
  name: string,
  files: readonly string[],
  manifest?: (file: string) => string,
): Promise<string> {
  const source = join(root, 'test', 'e2e', name);
  const folder = join(root, 'artifacts', `${name}-stand-in`);
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(join(source, file), join(folder, file));
  if (manifest) writeFileSync(join(folder, 'package.json'), manifest(join(source, 'package.json')));
  await build({
    entryPoints: [join(source, 'extension.ts')],
    outfile: join(folder, 'extension.js'),
    bundle: true,
    platform: 'node',
    target: 'node18',
    external: ['vscode'],
    logLevel: 'warning',
  });
  const file = `${folder}.vsix`;
  await packageVsix(folder, file, ['--allow-missing-repository', '--skip-license']);
  return file;
}

interface Menus {
  readonly contributes: {
    readonly menus: Record<
      string,
      { readonly command: string; readonly when: string; readonly group: string }[]
    >;
  };
}

/**
 * The stand-in's manifest with the menu items that Checkpoint Health declares for Azure Data Studio's tree, which VS
 * Code does not know.
 */
function writeManifest(file: string): string {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Menus;
  const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Menus;
  const items = (ours.contributes.menus['objectExplorer/item/context'] ?? []).map((item) => ({
    ...item,
    when: item.when.replace(
      'connectionProvider == MSSQL && nodeType ==',
      'view == dataExplorer.servers && viewItem ==',
    ),
  }));
  manifest.contributes.menus['view/item/context']?.push(...items);
  return JSON.stringify(manifest, null, 2);
}
