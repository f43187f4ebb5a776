/** The stand-ins for other products' extensions, each as a VSIX. */
import { copyFileSync, mkdirSync, writeFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packageVsix } from '../../tools/build/vsix';
import { root } from '../../tools/packages';

interface StandIn {
  /** Its folder below test/e2e, with extension.ts, and how the package is called. */
  readonly name: string;
  /** Copied as they are. */
  readonly files: readonly string[];
  /** The manifest, where it is not the folder's own package.json. */
  readonly writeManifest?: (file: string) => string;
}

const packaged = new Map<string, Promise<string>>();

/** Bundles a stand-in with its driver and packages it, once for all tests of a run. @returns the file to install */
function packageStandIn(standIn: StandIn): Promise<string> {
  const known = packaged.get(standIn.name) ?? buildStandIn(standIn);
  packaged.set(standIn.name, known);
  return known;
}

async function buildStandIn({ name, files, writeManifest }: StandIn): Promise<string> {
  const source = join(root, 'test', 'e2e', name);
  const folder = join(root, 'artifacts', `${name}-stand-in`);
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(join(source, file), join(folder, file));
  const manifest = join(source, 'package.json');
  if (writeManifest === undefined) copyFileSync(manifest, join(folder, 'package.json'));
  else writeFileSync(join(folder, 'package.json'), writeManifest(manifest));
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

export function packageMssqlStandIn(): Promise<string> {
  return packageStandIn({ name: 'mssql', files: ['README.md', 'server.svg'] });
}

export function packageAzdataStandIn(): Promise<string> {
  return packageStandIn({ name: 'azdata', files: ['README.md', 'servers.svg'], writeManifest });
}

interface Menus {
  readonly contributes: { readonly menus: Record<string, { readonly command: string; readonly when: string; readonly group: string }[]> };
}

/** The stand-in's manifest with the menu items that Checkpoint Health declares for Azure Data Studio's tree, which VS Code does not know. */
function writeManifest(file: string): string {
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as Menus;
  const ours = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as Menus;
  const items = (ours.contributes.menus['objectExplorer/item/context'] ?? []).map((item) => ({
    ...item,
    when: item.when.replace('connectionProvider == MSSQL && nodeType ==', 'view == dataExplorer.servers && viewItem =='),
  }));
  manifest.contributes.menus['view/item/context']?.push(...items);
  return JSON.stringify(manifest, null, 2);
}
